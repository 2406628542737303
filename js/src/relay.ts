/**
 * The script of the outer frame: it holds the app's frame and passes messages on, nothing more.
 * It is put into a page as text, so it must not use anything from outside the function.
 */

export type ToRelay = { mew: "load"; html: string; title: string } | { mew: "rpc"; message: unknown };
export type FromRelay = { mew: "ready" } | { mew: "rpc" | "hint"; message: unknown } | { mew: "blocked" };

export function relay(): void {
  const host = window.parent;
  let app: HTMLIFrameElement | null = null;

  // An opaque origin cannot be named as a target; the receiver checks where a message comes from.
  const tellHost = (message: FromRelay): void => host.postMessage(message, "*");

  // Methods of the sandbox itself are neither the app's to send nor the host's (SBX-06).
  const isPrivate = (message: unknown): boolean => {
    const method: unknown = (message as { method?: unknown } | null | undefined)?.method;
    return typeof method === "string" && method.startsWith("ui/notifications/sandbox-");
  };

  const load = (html: string, title: string): void => {
    app = document.createElement("iframe");
    app.setAttribute("sandbox", "allow-scripts allow-forms");
    app.setAttribute("referrerpolicy", "no-referrer");
    app.title = title;
    app.srcdoc = html;
    document.body.append(app);
  };

  const onHostMessage = (message: ToRelay): void => {
    if (message.mew === "load" && app === null) load(message.html, message.title);
    else if (message.mew === "rpc" && !isPrivate(message.message))
      app?.contentWindow?.postMessage(message.message, "*");
  };

  const onAppMessage = (message: unknown): void => {
    if (isPrivate(message)) return;
    const hint: unknown = (message as { mewHint?: unknown } | null | undefined)?.mewHint;
    tellHost(hint === undefined ? { mew: "rpc", message } : { mew: "hint", message: hint });
  };

  window.addEventListener("message", (event) => {
    // All origins here read "null", so only the window tells the host, the app and others apart (SBX-21).
    if (event.source === host) onHostMessage(event.data);
    else if (app?.contentWindow && event.source === app.contentWindow) onAppMessage(event.data);
  });

  // This page loads nothing itself: what its policy blocks is the app's frame on its way to somewhere else.
  document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => {
    if (effectiveDirective === "frame-src") tellHost({ mew: "blocked" });
  });

  tellHost({ mew: "ready" });
}
