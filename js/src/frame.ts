/**
 * The two frames of an app. Both are srcdoc pages with opaque origins: the outer one forbids where the inner one may
 * go and passes messages on; the inner one holds the app under its own policy. Neither ever gets `allow-same-origin`.
 */

import type { Hint } from "./app_host";
import { isObject } from "./guards";
import { START_HEIGHT } from "./height";
import { prelude } from "./prelude";
import { relay, type ToRelay } from "./relay";

export interface FrameOptions {
  html: string;
  outerPolicy: string;
  innerPolicy: string;
  title: string;
}

export interface FrameEvents {
  /** The app sent something, of whatever shape. */
  onMessage: (message: unknown) => void;
  onHint: (hint: Hint) => void;
  /** The app tried to leave its page; an error page stands in its place. */
  onBlocked: () => void;
  /** The browser loaded the outer page again, as when outputs are hidden and shown: the app is gone. */
  onReload: () => void;
}

export class SandboxFrame {
  readonly element: HTMLIFrameElement;
  readonly #options: FrameOptions;
  readonly #events: FrameEvents;
  readonly #listening = new AbortController();
  #isLoaded = false;

  constructor(parent: HTMLElement, options: FrameOptions, events: FrameEvents) {
    this.#options = options;
    this.#events = events;
    this.element = document.createElement("iframe");
    this.element.setAttribute("sandbox", "allow-scripts allow-forms");
    this.element.setAttribute("referrerpolicy", "no-referrer");
    this.element.title = options.title;
    this.element.style.height = `${START_HEIGHT}px`;
    window.addEventListener("message", (event) => this.#onMessage(event), { signal: this.#listening.signal });
    this.element.srcdoc = outerPage(options.outerPolicy);
    parent.append(this.element);
  }

  post(message: unknown): void {
    this.#tellRelay({ mew: "rpc", message });
  }

  remove(): void {
    this.#listening.abort();
    this.element.remove();
  }

  #tellRelay(message: ToRelay): void {
    this.element.contentWindow?.postMessage(message, "*");
  }

  #onMessage(event: MessageEvent): void {
    // The window is the only proof: every sandboxed frame has the origin "null". A frame that is out of the page has
    // no window, and neither has a forged event.
    if (event.source === null || event.source !== this.element.contentWindow) return;
    const data: unknown = event.data;
    if (!isObject(data)) return;
    if (data.mew === "ready") this.#onReady();
    else if (data.mew === "rpc") this.#events.onMessage(data.message);
    else if (data.mew === "hint" && isHint(data.message)) this.#events.onHint(data.message);
    else if (data.mew === "blocked") this.#events.onBlocked();
  }

  #onReady(): void {
    if (this.#isLoaded) {
      this.#events.onReload();
      return;
    }
    this.#isLoaded = true;
    const { html, innerPolicy, title } = this.#options;
    this.#tellRelay({ mew: "load", html: innerPage(innerPolicy, html), title });
  }
}

const HINTS = ["boot", "error", "rejection", "resource", "csp"];

function isHint(value: unknown): value is Hint {
  return isObject(value) && HINTS.includes(String(value.kind)) && typeof value.text === "string";
}

function outerPage(policy: string): string {
  // A white ground: an app that knows nothing of themes writes black, also in a dark notebook.
  const style = "html,body{margin:0;height:100%;background:#fff}iframe{display:block;border:0;width:100%;height:100%}";
  const head = `<meta charset="utf-8">${policyTag(policy)}<style>${style}</style>`;
  return `<!doctype html><html><head>${head}</head><body>${scriptTag(relay)}</body></html>`;
}

/** The app's text with policy, base and prelude before it, and the doctype before all, or browsers turn to quirks mode. */
function innerPage(policy: string, html: string): string {
  return `<!doctype html>${policyTag(policy)}<base href="about:srcdoc">${scriptTag(prelude)}${html}`;
}

function policyTag(policy: string): string {
  return `<meta http-equiv="Content-Security-Policy" content="${escapeAttribute(policy)}">`;
}

function scriptTag(script: () => void): string {
  return `<script>(${script.toString()})();</script>`;
}

function escapeAttribute(text: string): string {
  return text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}
