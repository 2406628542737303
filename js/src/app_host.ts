/** The host end of MCP Apps for one elicitation: one instance of an app, one question, one outcome. */

import { isObject, type JsonObject } from "./guards";
import type { Failed } from "./messages";
import { type Id, INVALID_PARAMS, type NotificationHandler, Peer, type Reply, RpcError } from "./peer";

const PROTOCOL_VERSION = "2026-01-26";
const TEARDOWN_MS = 250;
const BROKEN_MS = 1000;
const DETAIL_LENGTH = 200;

export type FailureReason = Failed["reason"];

/** What the prelude reports from the app's own realm. The app can forge it, so it only words a failure. */
export interface Hint {
  kind: "boot" | "error" | "rejection" | "resource" | "csp";
  text: string;
}

export interface HostOptions {
  /** The params of `elicitation/create`, sent to the app as they are. */
  params: unknown;
  hostVersion: string;
  granted: unknown;
  handshakeSeconds: number;
  context: () => JsonObject;
  /** Whether the frames are in the page: outputs that are hidden run no app. */
  isInPage: () => boolean;
  post: (message: JsonObject) => void;
  onStarted: () => void;
  onAnswer: (result: unknown) => void;
  onFailure: (reason: FailureReason, detail: string) => void;
  onSize: (report: JsonObject) => void;
}

export class AppHost {
  readonly #options: HostOptions;
  readonly #peer: Peer;
  #appCapabilities: unknown = null;
  #hasIntroduced = false;
  #isInitialized = false;
  #isSettled = false;
  #openRequest: Id | null = null;
  #handshakeTimer: ReturnType<typeof setTimeout> | undefined;
  #brokenTimer: ReturnType<typeof setTimeout> | undefined;
  #lastHint = "";
  #boots = 0;
  #keptChanges: JsonObject = {};
  #closed: Promise<void> | null = null;

  constructor(options: HostOptions) {
    this.#options = options;
    this.#peer = new Peer(options.post, {
      requests: new Map([
        ["ui/initialize", (params: unknown): unknown => this.#introduce(params)],
        ["ui/request-display-mode", () => ({ mode: "inline" })],
        ["ping", () => ({})],
      ]),
      notifications: new Map<string, NotificationHandler>([
        ["ui/notifications/initialized", () => this.#onInitialized()],
        ["ui/notifications/size-changed", (params) => this.#onSize(params)],
        ["ui/notifications/request-teardown", () => this.#fail("teardown", "")],
      ]),
    });
    this.#awaitHandshake();
  }

  receive(message: unknown): void {
    this.#peer.receive(message);
  }

  /** The app left its page, so it is gone. */
  navigated(): void {
    this.#fail("navigated", "");
  }

  hint(hint: Hint): void {
    if (hint.kind === "boot") {
      // A second start of the page in the same frame: the app that knew the question is gone.
      this.#boots += 1;
      if (this.#boots > 1) this.navigated();
      return;
    }
    this.#lastHint = cut(hint.text);
    if (hint.kind !== "error" && hint.kind !== "rejection") return;
    if (this.#hasIntroduced || this.#isSettled || this.#brokenTimer !== undefined) return;
    const text = this.#lastHint;
    // An app may survive an error; one that broke while starting does not introduce itself any more.
    this.#brokenTimer = setTimeout(() => this.#fail("broken", text), BROKEN_MS);
  }

  /** Tell the app what changed around it. Before the handshake is over, changes are kept (BRG-03). */
  contextChanged(changes: JsonObject): void {
    if (this.#closed || !this.#hasIntroduced || Object.keys(changes).length === 0) return;
    if (this.#isInitialized) this.#peer.notify("ui/notifications/host-context-changed", changes);
    else this.#keptChanges = { ...this.#keptChanges, ...changes };
  }

  /** End this instance: cancel what is open and let the app close itself. Resolves when the frames may go. */
  close(reason: string): Promise<void> {
    this.#closed ??= this.#close(reason);
    return this.#closed;
  }

  async #close(reason: string): Promise<void> {
    this.#settle();
    if (this.#openRequest !== null) this.#peer.cancel(this.#openRequest, reason);
    if (!this.#isInitialized) return;
    await new Promise<void>((done) => {
      const timer = setTimeout(done, TEARDOWN_MS);
      this.#peer.request("ui/resource-teardown", { reason }, () => {
        clearTimeout(timer);
        done();
      });
    });
  }

  #awaitHandshake(): void {
    this.#handshakeTimer = setTimeout(() => {
      if (this.#options.isInPage()) this.#fail("no_handshake", this.#lastHint);
      else this.#awaitHandshake();
    }, this.#options.handshakeSeconds * 1000);
  }

  #introduce(params: unknown): JsonObject {
    this.#hasIntroduced = true;
    clearTimeout(this.#brokenTimer);
    const missing = missingMember(params);
    if (missing !== null) {
      this.#fail("refused", missing);
      throw new RpcError(INVALID_PARAMS, `Invalid params: ${missing}`);
    }
    // As sent: the schemas of the SDK would strip `elicitation` (BRG-06).
    this.#appCapabilities = (params as JsonObject).appCapabilities;
    this.#keptChanges = {};
    return {
      // The only version we speak, whatever was asked for (BRG-02).
      protocolVersion: PROTOCOL_VERSION,
      hostInfo: { name: "mcp-elicit-widget", version: this.#options.hostVersion },
      hostCapabilities: { elicitation: {}, sandbox: { csp: this.#options.granted, permissions: {} } },
      hostContext: this.#options.context(),
    };
  }

  #onInitialized(): void {
    if (!this.#hasIntroduced || this.#isInitialized || this.#closed) return;
    this.#isInitialized = true;
    if (this.#isSettled) return;
    clearTimeout(this.#handshakeTimer);
    const capabilities = this.#appCapabilities;
    if (!isObject(capabilities) || !isObject(capabilities.elicitation)) {
      this.#fail("no_capability", "");
      return;
    }
    this.#openRequest = this.#peer.request("elicitation/create", this.#options.params, (reply) => this.#onReply(reply));
    this.contextChanged(this.#keptChanges);
    this.#options.onStarted();
  }

  #onReply(reply: Reply): void {
    this.#openRequest = null;
    if (this.#isSettled) return;
    if ("error" in reply) {
      this.#fail("error_reply", describeError(reply.error));
      return;
    }
    const result = asJson(reply.result);
    if (result === undefined) {
      this.#fail("error_reply", "its answer is not JSON");
      return;
    }
    this.#settle();
    this.#options.onAnswer(result);
  }

  #onSize(params: unknown): void {
    if (isObject(params) && !this.#isSettled) this.#options.onSize(params);
  }

  #fail(reason: FailureReason, detail: string): void {
    if (this.#isSettled) return;
    this.#settle();
    this.#options.onFailure(reason, detail);
  }

  #settle(): void {
    this.#isSettled = true;
    clearTimeout(this.#handshakeTimer);
    clearTimeout(this.#brokenTimer);
  }
}

function missingMember(params: unknown): string | null {
  if (!isObject(params)) return "params";
  if (!isObject(params.appInfo)) return "appInfo";
  if (typeof params.appInfo.name !== "string") return "appInfo.name";
  if (typeof params.appInfo.version !== "string") return "appInfo.version";
  if (!isObject(params.appCapabilities)) return "appCapabilities";
  if (typeof params.protocolVersion !== "string") return "protocolVersion";
  return null;
}

function describeError(error: unknown): string {
  if (!isObject(error)) return "";
  const code = typeof error.code === "number" ? String(error.code) : "";
  const message = typeof error.message === "string" ? cut(error.message) : "";
  return `${code} ${message}`.trim();
}

/** What crosses postMessage may be more than JSON (BigInt, cycles, maps); the kernel takes JSON. */
function asJson(value: unknown): unknown {
  try {
    const text = JSON.stringify(value);
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function cut(text: string): string {
  return text.slice(0, DETAIL_LENGTH);
}
