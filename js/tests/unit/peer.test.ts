import { expect, test, vi } from "vitest";
import type { JsonObject } from "../../src/guards";
import { type NotificationHandler, Peer, type RequestHandler, RpcError } from "../../src/peer";

function makePeer(
  requests: Record<string, RequestHandler> = {},
  notifications: Record<string, NotificationHandler> = {},
) {
  const sent: JsonObject[] = [];
  const handlers = {
    requests: new Map(Object.entries(requests)),
    notifications: new Map(Object.entries(notifications)),
  };
  return { sent, peer: new Peer((message) => sent.push(message), handlers) };
}

test("requests are numbered from 1", () => {
  const { peer, sent } = makePeer();
  peer.request("a", {}, () => {});
  peer.request("b", { x: 1 }, () => {});
  expect(sent).toEqual([
    { jsonrpc: "2.0", id: 1, method: "a", params: {} },
    { jsonrpc: "2.0", id: 2, method: "b", params: { x: 1 } },
  ]);
});

test("a result reaches the request that it names", () => {
  const { peer } = makePeer();
  const [first, second] = [vi.fn(), vi.fn()];
  peer.request("a", {}, first);
  peer.request("b", {}, second);
  peer.receive({ jsonrpc: "2.0", id: 2, result: null });
  peer.receive({ jsonrpc: "2.0", id: 1, error: { code: 1, message: "no" } });
  expect(second).toHaveBeenCalledExactlyOnceWith({ result: null });
  expect(first).toHaveBeenCalledExactlyOnceWith({ error: { code: 1, message: "no" } });
});

test("a second reply, and one to an unknown id, are ignored", () => {
  const { peer, sent } = makePeer();
  const onReply = vi.fn();
  peer.request("a", {}, onReply);
  for (const id of [7, 1, 1]) peer.receive({ jsonrpc: "2.0", id, result: id });
  expect(onReply).toHaveBeenCalledExactlyOnceWith({ result: 1 });
  expect(sent).toHaveLength(1);
});

test("a string is not the number that it spells", () => {
  const { peer } = makePeer();
  const onReply = vi.fn();
  peer.request("a", {}, onReply);
  peer.receive({ jsonrpc: "2.0", id: "1", result: "wrong" });
  expect(onReply).not.toHaveBeenCalled();
});

test.each([
  ["neither result nor error", { jsonrpc: "2.0", id: 1 }],
  ["both", { jsonrpc: "2.0", id: 1, result: 1, error: {} }],
  ["no id", { jsonrpc: "2.0", result: 1 }],
  ["another version", { jsonrpc: "1.0", id: 1, result: 1 }],
])("a reply with %s is ignored", (_, reply) => {
  const { peer } = makePeer();
  const onReply = vi.fn();
  peer.request("a", {}, onReply);
  peer.receive(reply);
  expect(onReply).not.toHaveBeenCalled();
});

test.each([0, "", "0", 1, "x", -1, 1.5])("a request with the id %j is answered once with the same id", (id) => {
  const { peer, sent } = makePeer({ ping: () => ({}) });
  peer.receive({ jsonrpc: "2.0", id, method: "ping" });
  expect(sent).toEqual([{ jsonrpc: "2.0", id, result: {} }]);
});

test.each(["nope", "__proto__", "constructor", "toString", ""])(
  "a request for %j, which is no method, gets -32601",
  (method) => {
    const { peer, sent } = makePeer({ ping: () => ({}) });
    peer.receive({ jsonrpc: "2.0", id: 0, method, params: {} });
    expect(sent).toEqual([{ jsonrpc: "2.0", id: 0, error: { code: -32601, message: "Method not found" } }]);
  },
);

test("a handler that throws answers -32603, and keeps its text to itself", () => {
  const { peer, sent } = makePeer({
    bad: () => {
      throw new Error("secret");
    },
  });
  peer.receive({ jsonrpc: "2.0", id: 3, method: "bad" });
  expect(sent).toEqual([{ jsonrpc: "2.0", id: 3, error: { code: -32603, message: "Internal error" } }]);
});

test("a handler that throws an RpcError answers with it", () => {
  const { peer, sent } = makePeer({
    bad: () => {
      throw new RpcError(-32602, "Invalid params: x");
    },
  });
  peer.receive({ jsonrpc: "2.0", id: 3, method: "bad" });
  expect(sent).toEqual([{ jsonrpc: "2.0", id: 3, error: { code: -32602, message: "Invalid params: x" } }]);
});

test("notifications reach their handler and are never answered, known or not", () => {
  const note = vi.fn();
  const { peer, sent } = makePeer({}, { note });
  peer.receive({ jsonrpc: "2.0", method: "note", params: { a: 1 } });
  peer.receive({ jsonrpc: "2.0", method: "constructor" });
  expect(note).toHaveBeenCalledExactlyOnceWith({ a: 1 });
  expect(sent).toEqual([]);
});

test.each([
  [undefined],
  [null],
  [0],
  ["{}"],
  [[]],
  [[{ jsonrpc: "2.0", id: 1, method: "ping" }]],
  [{}],
  [{ id: 1, method: "ping" }],
  [{ jsonrpc: 2, id: 1, method: "ping" }],
  [{ jsonrpc: "2.0", id: null, method: "ping" }],
  [{ jsonrpc: "2.0", id: {}, method: "ping" }],
  [{ jsonrpc: "2.0", id: Number.NaN, method: "ping" }],
  [{ jsonrpc: "2.0", id: 1, method: 5 }],
  [{ jsonrpc: "2.0", id: 1, method: null }],
  [new Map([["jsonrpc", "2.0"]])],
])("garbage is ignored: %j", (garbage) => {
  const { peer, sent } = makePeer({ ping: () => ({}) });
  peer.receive(garbage);
  expect(sent).toEqual([]);
});

test("a cancelled request is named to the other side, and its late reply is ignored", () => {
  const { peer, sent } = makePeer();
  const onReply = vi.fn();
  const id = peer.request("a", {}, onReply);
  peer.cancel(id, "why");
  peer.receive({ jsonrpc: "2.0", id, result: 1 });
  expect(sent[1]).toEqual({
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: 1, reason: "why" },
  });
  expect(onReply).not.toHaveBeenCalled();
});

test("what is over cannot be cancelled", () => {
  const { peer, sent } = makePeer();
  const id = peer.request("a", {}, () => {});
  peer.receive({ jsonrpc: "2.0", id, result: 1 });
  peer.cancel(id, "late");
  expect(sent).toHaveLength(1);
});
