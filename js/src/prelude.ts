/**
 * The script before the app's own text, in the app's realm and with the app's rights: it grants nothing.
 * It is put into a page as text, so it must not use anything from outside the function.
 */

import type { Hint } from "./app_host";

export function prelude(): void {
  const host = window.parent;
  const post = host.postMessage.bind(host);
  const told = new Set<string>();

  // Hints word a failure, nothing else: the app could send them too.
  const hint = (kind: Hint["kind"], value: unknown): void => {
    const text = String(value).slice(0, 300);
    const key = `${kind} ${text}`;
    if (told.has(key) || told.size >= 50) return;
    told.add(key);
    post({ mewHint: { kind, text } }, "*");
  };

  const reportErrors = (): void => {
    // Capturing, as a script or image that does not load tells only itself.
    window.addEventListener(
      "error",
      (event: Event) => {
        if (event instanceof ErrorEvent) hint("error", event.message);
        else hint("resource", (event.target as Element | null)?.tagName);
      },
      true,
    );
    window.addEventListener("unhandledrejection", ({ reason }) => hint("rejection", reason?.message ?? reason));
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
      // Libraries probe whether they may compile code and cope when they may not.
      if (blockedURI !== "eval" && blockedURI !== "wasm-eval") hint("csp", `${effectiveDirective} ${blockedURI}`);
    });
  };

  // Apps answer to `event.origin`, and a message cannot be sent to the origin "null" of our frames.
  const makeOriginUsable = (): void => {
    const descriptor = Object.getOwnPropertyDescriptor(MessageEvent.prototype, "origin");
    const getOrigin = descriptor?.get;
    if (!descriptor || !getOrigin) return;
    Object.defineProperty(MessageEvent.prototype, "origin", {
      ...descriptor,
      get(this: MessageEvent) {
        const origin: string = getOrigin.call(this);
        return origin === "null" && this.source === host ? "*" : origin;
      },
    });
  };

  // An opaque origin has no storage, and even to look at it throws; this one is gone with the frame.
  const makeStorage = (): Storage => {
    const items = new Map<string, string>();
    const methods: Record<string, unknown> = {
      getItem: (key: unknown) => items.get(String(key)) ?? null,
      setItem: (key: unknown, value: unknown) => void items.set(String(key), String(value)),
      removeItem: (key: unknown) => void items.delete(String(key)),
      clear: () => items.clear(),
      key: (index: unknown) => [...items.keys()][Number(index)] ?? null,
    };
    const item = (key: string | symbol): string | undefined => (typeof key === "string" ? items.get(key) : undefined);
    return new Proxy(Object.create(Storage.prototype), {
      get(_, key) {
        if (key === "length") return items.size;
        if (typeof key === "string" && Object.hasOwn(methods, key)) return methods[key];
        return item(key) ?? Reflect.get(Object.prototype, key);
      },
      set: (_, key, value) => Boolean(items.set(String(key), String(value))),
      has: (_, key) => item(key) !== undefined || key in methods || key === "length",
      deleteProperty(_, key) {
        items.delete(String(key));
        return true;
      },
      ownKeys: () => [...items.keys()],
      getOwnPropertyDescriptor(_, key) {
        const value = item(key);
        return value === undefined ? undefined : { value, writable: true, enumerable: true, configurable: true };
      },
    });
  };

  const replaceStorage = (name: "localStorage" | "sessionStorage"): void => {
    try {
      void window[name];
    } catch {
      Object.defineProperty(window, name, { value: makeStorage(), configurable: true, enumerable: true });
    }
  };

  reportErrors();
  makeOriginUsable();
  replaceStorage("localStorage");
  replaceStorage("sessionStorage");
  hint("boot", "");
}
