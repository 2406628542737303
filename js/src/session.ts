/** One running instance of an app: its frames, and the host end that talks with it. */

import { AppHost, type FailureReason } from "./app_host";
import { SandboxFrame } from "./frame";
import { isObject, type JsonObject } from "./guards";
import { HeightRule } from "./height";
import type { Start } from "./messages";
import { hostContext, watchContext } from "./theme";

export interface SessionEvents {
  onStarted: () => void;
  onAnswer: (result: unknown) => void;
  onFailure: (reason: FailureReason, detail: string) => void;
  /** The browser loaded the frames again: the instance is gone, and Python may start another. */
  onReload: () => void;
}

export class Session {
  readonly #frame: SandboxFrame;
  readonly #host: AppHost;
  readonly #height: HeightRule;
  readonly #running = new AbortController();

  constructor(box: HTMLElement, start: Start, html: string, events: SessionEvents) {
    const { innerPolicy, outerPolicy, title } = start;
    this.#frame = new SandboxFrame(
      box,
      { html, innerPolicy, outerPolicy, title },
      {
        onMessage: (message) => this.#host.receive(message),
        onHint: (hint) => this.#host.hint(hint),
        onBlocked: () => this.#host.navigated(),
        onReload: events.onReload,
      },
    );
    const { element } = this.#frame;
    this.#height = new HeightRule((height) => {
      element.style.height = `${height}px`;
    });
    const extra = isObject(start.context) ? start.context : {};
    const context = (): JsonObject => hostContext(element, extra);
    this.#host = new AppHost({
      params: start.params,
      hostVersion: start.hostVersion,
      granted: start.granted,
      handshakeSeconds: start.handshakeSeconds,
      context,
      isInPage: () => element.isConnected,
      post: (message) => this.#frame.post(message),
      onStarted: events.onStarted,
      onAnswer: events.onAnswer,
      onFailure: events.onFailure,
      onSize: (report) => this.#height.report(report, element.clientWidth),
    });
    watchContext(element, context, (changes) => this.#host.contextChanged(changes), this.#running.signal);
  }

  /** Let the app close itself, out of sight, then take it away. */
  async close(reason: string): Promise<void> {
    this.#height.stop();
    this.#frame.element.hidden = true;
    await this.#host.close(reason);
    this.drop();
  }

  /** Take the app away at once: its frames are gone or going, so it cannot be told. */
  drop(): void {
    this.#running.abort();
    this.#height.stop();
    void this.#host.close("the view is gone");
    this.#frame.remove();
  }
}
