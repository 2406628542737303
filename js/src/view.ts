/** One drawn view of a panel's head: what the kernel says goes in, what the person and the app do goes out. */

import { FormMarks } from "./form";
import { parseToBrowser } from "./guards";
import { Head } from "./head";
import type { Focus, Show, Start, ToKernel } from "./messages";
import { findPanel, Panel } from "./panel";
import { Session } from "./session";
import { type Manager, Shield } from "./shield";

const NO_KERNEL = "The kernel that asked is gone.";
const SILENCE = "The kernel that asked does not answer.";
const ELSEWHERE = "This question is open in another view of this output.";
const SILENCE_MS = 3000;

/** The part of anywidget's model that is used. */
export interface Model {
  // biome-ignore lint/suspicious/noExplicitAny: anywidget's own type; parseToBrowser judges it at once.
  on(event: "msg:custom" | "comm_live_update", listener: (content: any, buffers: DataView[]) => void): void;
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  off(event: "msg:custom" | "comm_live_update", listener: (content: any, buffers: DataView[]) => void): void;
  send(content: unknown): void;
  widget_manager: Manager;
}

export class View {
  readonly #id: string;
  readonly #model: Model;
  readonly #head = new Head();
  readonly #shield: Shield;
  #panel: Panel | null = null;
  #form: FormMarks | null = null;
  #session: Session | null = null;
  #show: Show | null = null;
  #isGone = false;

  constructor(id: string, model: Model, el: HTMLElement, signal: AbortSignal) {
    this.#id = id;
    this.#model = model;
    this.#shield = new Shield(model.widget_manager);
    const listener = (content: unknown, buffers: DataView[]): void => this.#receive(content, buffers);
    // A kernel says nothing when it goes: a restart marks the models, a shutdown ends the manager's connection.
    const lost = (): void => this.#loseKernel();
    model.on("msg:custom", listener);
    model.on("comm_live_update", lost);
    const kernel = model.widget_manager.kernel;
    kernel?.disposed.connect(lost);
    signal.addEventListener("abort", () => {
      model.off("msg:custom", listener);
      model.off("comm_live_update", lost);
      kernel?.disposed.disconnect(lost);
      this.#leave();
    });
    window.addEventListener("pagehide", () => this.#leave(), { signal });
    el.append(this.#head.root);
    findPanel(el, (panel) => this.#onPanel(panel, signal), signal);
    this.#watchSilence(signal);
    this.#send({ kind: "ready", view: this.#id });
  }

  #receive(content: unknown, buffers: DataView[]): void {
    const message = parseToBrowser(content);
    if (message?.kind === "show") this.#onShow(message);
    else if (message?.kind === "start") this.#onStart(message, buffers[0]);
    else if (message?.kind === "stop") this.#endSession(message.reason);
    else if (message?.kind === "focus") this.#onFocus(message);
  }

  #onShow(message: Show): void {
    const before = this.#show?.state;
    this.#show = message;
    this.#head.show(message);
    this.#shield.cover(message.shield);
    this.#form?.show(message.fields);
    // Other views still say where the question is open, until it is not.
    if (before === undefined || message.state !== "app") this.#head.say("");
    if (message.state === before) return;
    if (message.state === "form") {
      // The note is announced by itself.
      this.#head.announce("The built-in form is shown.");
      this.#form?.focusFirst();
    } else if (message.state === "sent") this.#head.announce("Answer sent.");
  }

  #onStart(start: Start, html: DataView | undefined): void {
    this.#endSession("another instance takes over");
    if (start.view !== this.#id) {
      this.#head.say(ELSEWHERE);
      return;
    }
    this.#head.say("");
    const { instance } = start;
    const about = { view: this.#id, instance };
    if (!html) {
      this.#send({ kind: "failed", ...about, reason: "broken", detail: "its page did not arrive" });
      return;
    }
    const session = new Session(this.#head.frame, start, new TextDecoder().decode(html), {
      onStarted: () => this.#head.announce("The app is ready."),
      onAnswer: (result) => this.#send({ kind: "answer", ...about, result }),
      onFailure: (reason, detail) => this.#send({ kind: "failed", ...about, reason, detail }),
      onReload: () => this.#onReload(session),
    });
    this.#session = session;
  }

  /** Hiding and showing an output loads its frames again without any word to the view. */
  #onReload(session: Session): void {
    if (this.#session !== session) return;
    this.#dropSession();
    this.#send({ kind: "ready", view: this.#id });
  }

  #onFocus(message: Focus): void {
    this.#form?.focus(message.css);
  }

  #onPanel(root: HTMLElement, signal: AbortSignal): void {
    this.#panel = new Panel(root, signal);
    this.#form = new FormMarks(this.#panel, (key) => this.#onKey(key), signal);
    if (this.#show) this.#form.show(this.#show.fields);
  }

  #onKey(key: "escape" | "enter"): void {
    const state = this.#show?.state;
    if (state === "form" || (state === "app" && key === "escape")) this.#send({ kind: "key", view: this.#id, key });
  }

  #endSession(reason: string): void {
    const session = this.#session;
    this.#session = null;
    void session?.close(reason);
  }

  #dropSession(): void {
    this.#session?.drop();
    this.#session = null;
  }

  /** The view or its page goes away. */
  #leave(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#dropSession();
    this.#send({ kind: "gone", view: this.#id });
  }

  #send(message: ToKernel): void {
    try {
      this.#model.send(message);
    } catch {
      // A restarted or dead kernel leaves its views behind, and their model throws "Cannot send".
      this.#loseKernel();
    }
  }

  #loseKernel(): void {
    this.#dropSession();
    this.#head.say(NO_KERNEL);
  }

  /** A widget that was restored from a saved notebook has nobody to talk to, and does not know. */
  #watchSilence(signal: AbortSignal): void {
    const timer = setTimeout(() => {
      if (!this.#show) this.#head.say(SILENCE);
    }, SILENCE_MS);
    signal.addEventListener("abort", () => clearTimeout(timer));
  }
}
