/** A small JSON-RPC 2.0 peer. It knows nothing of MCP Apps, frames or the kernel. */

import { isObject, type JsonObject } from "./guards";

export type Id = string | number;
export type Reply = { result: unknown } | { error: unknown };
export type RequestHandler = (params: unknown) => unknown;
export type NotificationHandler = (params: unknown) => void;

export const INVALID_PARAMS = -32602;
const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;

/** Thrown by a request handler to answer with this error. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** What a peer does with incoming messages. Maps, as a method may be named like a member of Object.prototype. */
export interface Handlers {
  requests: ReadonlyMap<string, RequestHandler>;
  notifications: ReadonlyMap<string, NotificationHandler>;
}

export class Peer {
  readonly #post: (message: JsonObject) => void;
  readonly #handlers: Handlers;
  readonly #pending = new Map<Id, (reply: Reply) => void>();
  // Not 0: SDK apps of the 1.x line ignore the cancellation of a request with that id (ERR-02).
  #nextId = 1;

  constructor(post: (message: JsonObject) => void, handlers: Handlers) {
    this.#post = post;
    this.#handlers = handlers;
  }

  /** Send a request; `onReply` is called at most once. Returns the id. */
  request(method: string, params: unknown, onReply: (reply: Reply) => void): Id {
    const id = this.#nextId++;
    this.#pending.set(id, onReply);
    this.#post({ jsonrpc: "2.0", id, method, params });
    return id;
  }

  notify(method: string, params: unknown): void {
    this.#post({ jsonrpc: "2.0", method, params });
  }

  /** Cancel an open request: its reply is ignored from now on. */
  cancel(id: Id, reason: string): void {
    if (this.#pending.delete(id)) this.notify("notifications/cancelled", { requestId: id, reason });
  }

  /** Take anything the other side sent. What is not JSON-RPC 2.0 is ignored, as are batches. */
  receive(message: unknown): void {
    if (!isObject(message) || message.jsonrpc !== "2.0") return;
    if (message.method === undefined) this.#onResponse(message);
    else if (typeof message.method !== "string") return;
    else if (!("id" in message)) this.#handlers.notifications.get(message.method)?.(message.params);
    else if (isId(message.id)) this.#post(this.#respond(message.id, message.method, message.params));
  }

  #onResponse(message: JsonObject): void {
    const { id } = message;
    // Exactly one of the two: a reply that says both says nothing.
    if (!isId(id) || "result" in message === "error" in message) return;
    const onReply = this.#pending.get(id);
    this.#pending.delete(id);
    onReply?.("error" in message ? { error: message.error } : { result: message.result });
  }

  #respond(id: Id, method: string, params: unknown): JsonObject {
    const handler = this.#handlers.requests.get(method);
    if (!handler) return failure(id, METHOD_NOT_FOUND, "Method not found");
    try {
      return { jsonrpc: "2.0", id, result: handler(params) };
    } catch (error) {
      // The text of an unforeseen error may hold values; it is not for the other side.
      if (error instanceof RpcError) return failure(id, error.code, error.message);
      return failure(id, INTERNAL_ERROR, "Internal error");
    }
  }
}

function isId(value: unknown): value is Id {
  return typeof value === "string" || Number.isFinite(value);
}

function failure(id: Id, code: number, message: string): JsonObject {
  return { jsonrpc: "2.0", id, error: { code, message } };
}
