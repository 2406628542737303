import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { INTRODUCTION, makeHost, PARAMS } from "../support/host";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test("the handshake is answered with all four members", () => {
  const { request, sent } = makeHost();
  request("a", "ui/initialize", INTRODUCTION);
  expect(sent).toEqual([
    {
      jsonrpc: "2.0",
      id: "a",
      result: {
        protocolVersion: "2026-01-26",
        hostInfo: { name: "mcp-elicit-widget", version: "1.2.3" },
        hostCapabilities: {
          elicitation: {},
          sandbox: { csp: { connectDomains: ["https://a.example"] }, permissions: {} },
        },
        hostContext: { theme: "light" },
      },
    },
  ]);
});

test("an unknown protocol version is answered with ours", () => {
  const { request, sent, on } = makeHost();
  request(1, "ui/initialize", { ...INTRODUCTION, protocolVersion: "1999-01-01" });
  expect(sent[0]).toMatchObject({ id: 1, result: { protocolVersion: "2026-01-26" } });
  expect(on.onFailure).not.toHaveBeenCalled();
});

test("the question is sent unchanged after the handshake, with the id 1", () => {
  const { shakeHands, sent, on } = makeHost();
  shakeHands();
  expect(sent[1]).toEqual({ jsonrpc: "2.0", id: 1, method: "elicitation/create", params: PARAMS });
  expect(sent[1]?.params).toBe(PARAMS);
  expect(on.onStarted).toHaveBeenCalledOnce();
});

test("nothing but responses reaches the app before it is initialized", async () => {
  const { host, request, notify, methods } = makeHost();
  notify("ui/notifications/initialized");
  host.contextChanged({ theme: "dark" });
  request(0, "ping");
  request(1, "ui/initialize", INTRODUCTION);
  host.contextChanged({ theme: "dark" });
  request(2, "tools/call", {});
  expect(methods()).toEqual(["response", "response", "response"]);
  await host.close("over");
  expect(methods()).toEqual(["response", "response", "response"]);
});

test("what changed during the handshake is told after it", () => {
  const { host, request, notify, sent } = makeHost();
  request(1, "ui/initialize", INTRODUCTION);
  host.contextChanged({ theme: "dark" });
  host.contextChanged({ locale: "de" });
  notify("ui/notifications/initialized");
  expect(sent.slice(2)).toEqual([
    { jsonrpc: "2.0", method: "ui/notifications/host-context-changed", params: { theme: "dark", locale: "de" } },
  ]);
});

test("a second introduction is answered, and the question is asked only once", () => {
  const { shakeHands, methods } = makeHost();
  shakeHands();
  shakeHands();
  expect(methods()).toEqual(["response", "elicitation/create", "response"]);
});

test("the capabilities of the last introduction count", () => {
  const { request, notify, on, methods } = makeHost();
  request(1, "ui/initialize", { ...INTRODUCTION, appCapabilities: {} });
  request(2, "ui/initialize", INTRODUCTION);
  notify("ui/notifications/initialized");
  expect(methods()).toEqual(["response", "response", "elicitation/create"]);
  expect(on.onFailure).not.toHaveBeenCalled();
});

test.each([
  ["params", undefined],
  ["params", []],
  ["appInfo", { ...INTRODUCTION, appInfo: undefined }],
  ["appInfo.name", { ...INTRODUCTION, appInfo: { version: "1" } }],
  ["appInfo.version", { ...INTRODUCTION, appInfo: { name: "x", version: 1 } }],
  ["appCapabilities", { ...INTRODUCTION, appCapabilities: [] }],
  ["protocolVersion", { ...INTRODUCTION, protocolVersion: 20260126 }],
])("an introduction with a bad member %s is refused by its name", (member, params) => {
  const { request, sent, on } = makeHost();
  request(0, "ui/initialize", params);
  expect(sent).toEqual([{ jsonrpc: "2.0", id: 0, error: { code: -32602, message: `Invalid params: ${member}` } }]);
  expect(on.onFailure).toHaveBeenCalledExactlyOnceWith("refused", member);
  expect(vi.getTimerCount()).toBe(0);
});

test.each([[{}], [{ elicitation: null }], [{ elicitation: [] }], [{ elicitation: true }]])(
  "an app that declares %j is not asked",
  (capabilities) => {
    const { shakeHands, on, methods } = makeHost();
    shakeHands(capabilities);
    expect(methods()).toEqual(["response"]);
    expect(on.onFailure).toHaveBeenCalledExactlyOnceWith("no_capability", "");
    expect(on.onStarted).not.toHaveBeenCalled();
  },
);

test.each([
  [{ action: "accept", content: { who: "Ada", "": [0, false, null] } }],
  [{ action: "decline" }],
  [{ action: "cancel" }],
  [{ anything: 1 }],
  ["text"],
  [null],
])("the result %j is given on as it is", (result) => {
  const { shakeHands, reply, on } = makeHost();
  shakeHands();
  reply(1, { result });
  expect(on.onAnswer).toHaveBeenCalledExactlyOnceWith(result);
  expect(vi.getTimerCount()).toBe(0);
});

test("a second answer, and an error after the answer, are ignored", () => {
  const { shakeHands, reply, on } = makeHost();
  shakeHands();
  reply(1, { result: { action: "decline" } });
  reply(1, { result: { action: "accept" } });
  reply(1, { error: { code: 1, message: "x" } });
  expect(on.onAnswer).toHaveBeenCalledExactlyOnceWith({ action: "decline" });
  expect(on.onFailure).not.toHaveBeenCalled();
});

test("an answer that is not JSON is a failure, as the kernel could not be told", () => {
  const { shakeHands, reply, on } = makeHost();
  shakeHands();
  reply(1, { result: { content: { amount: 1n } } });
  expect(on.onFailure).toHaveBeenCalledExactlyOnceWith("error_reply", "its answer is not JSON");
  expect(on.onAnswer).not.toHaveBeenCalled();
});

test.each([
  [{ code: -32601, message: "Method not found" }, "-32601 Method not found"],
  [{ code: 1, message: "x".repeat(500) }, `1 ${"x".repeat(200)}`],
  [{ message: {} }, ""],
  ["no object", ""],
])("an error reply %j is a failure in words", (error, detail) => {
  const { shakeHands, reply, on } = makeHost();
  shakeHands();
  reply(1, { error });
  expect(on.onFailure).toHaveBeenCalledExactlyOnceWith("error_reply", detail);
});

test("the display mode stays inline", () => {
  const { request, sent } = makeHost();
  request(5, "ui/request-display-mode", { mode: "fullscreen" });
  expect(sent).toEqual([{ jsonrpc: "2.0", id: 5, result: { mode: "inline" } }]);
});

test.each(["tools/call", "resources/read", "ui/open-link", "ui/message", "sampling/createMessage", "ui/elicitation"])(
  "%s is not offered, and says so once",
  (method) => {
    const { shakeHands, request, sent } = makeHost();
    shakeHands();
    request("r", method, {});
    const replies = sent.filter((message) => message.id === "r");
    expect(replies).toEqual([{ jsonrpc: "2.0", id: "r", error: { code: -32601, message: "Method not found" } }]);
  },
);

test("an app that does not finish the handshake in time fails, with the last hint for people", () => {
  const { host, request, on } = makeHost();
  request(0, "ui/initialize", INTRODUCTION);
  host.hint({ kind: "csp", text: "script-src-elem https://cdn.example/x.js" });
  vi.advanceTimersByTime(14_999);
  expect(on.onFailure).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(on.onFailure).toHaveBeenCalledExactlyOnceWith("no_handshake", "script-src-elem https://cdn.example/x.js");
});

test("a late handshake after the failure does not ask the question", () => {
  const { shakeHands, on, methods } = makeHost();
  vi.advanceTimersByTime(15_000);
  shakeHands();
  expect(methods()).toEqual(["response"]);
  expect(on.onFailure).toHaveBeenCalledOnce();
});

test("the time for the handshake does not run out while the frames are out of the page", () => {
  let isInPage = false;
  const { on } = makeHost({ isInPage: () => isInPage });
  vi.advanceTimersByTime(100_000);
  expect(on.onFailure).not.toHaveBeenCalled();
  isInPage = true;
  vi.advanceTimersByTime(15_000);
  expect(on.onFailure).toHaveBeenCalledExactlyOnceWith("no_handshake", "");
});

test("there is no limit for the answer", () => {
  const { shakeHands, reply, on } = makeHost();
  shakeHands();
  vi.advanceTimersByTime(10 * 60 * 60 * 1000);
  reply(1, { result: { action: "accept", content: {} } });
  expect(on.onAnswer).toHaveBeenCalledOnce();
  expect(on.onFailure).not.toHaveBeenCalled();
});

test("an app that breaks before it introduces itself fails after a second, with the error", () => {
  const { host, on } = makeHost();
  host.hint({ kind: "error", text: `Uncaught Error: ${"x".repeat(300)}` });
  host.hint({ kind: "rejection", text: "another" });
  vi.advanceTimersByTime(999);
  expect(on.onFailure).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(on.onFailure).toHaveBeenCalledExactlyOnceWith("broken", `Uncaught Error: ${"x".repeat(184)}`);
  expect(vi.getTimerCount()).toBe(0);
});

test("an app that survives an early error goes on", () => {
  const { host, shakeHands, on } = makeHost();
  host.hint({ kind: "error", text: "Uncaught Error: x" });
  shakeHands();
  host.hint({ kind: "error", text: "Uncaught Error: later" });
  vi.advanceTimersByTime(60_000);
  expect(on.onFailure).not.toHaveBeenCalled();
});

test.each(["csp", "resource"] as const)("a %s hint alone does not fail an app", (kind) => {
  const { host, on } = makeHost();
  host.hint({ kind, text: "x" });
  vi.advanceTimersByTime(2000);
  expect(on.onFailure).not.toHaveBeenCalled();
});

test("a page that starts a second time in its frame lost the question", () => {
  const { host, shakeHands, on } = makeHost();
  host.hint({ kind: "boot", text: "" });
  shakeHands();
  expect(on.onFailure).not.toHaveBeenCalled();
  host.hint({ kind: "boot", text: "" });
  expect(on.onFailure).toHaveBeenCalledExactlyOnceWith("navigated", "");
});

test("an app that asks to be closed gives no answer", () => {
  const { shakeHands, notify, reply, on } = makeHost();
  shakeHands();
  notify("ui/notifications/request-teardown");
  reply(1, { result: { action: "accept" } });
  expect(on.onFailure).toHaveBeenCalledExactlyOnceWith("teardown", "");
  expect(on.onAnswer).not.toHaveBeenCalled();
});

test("after the answer, a request to be closed and a navigation are no failures", () => {
  const { host, shakeHands, notify, reply, on } = makeHost();
  shakeHands();
  reply(1, { result: { action: "accept" } });
  notify("ui/notifications/request-teardown");
  host.navigated();
  expect(on.onFailure).not.toHaveBeenCalled();
});

test("sizes are told until the answer", () => {
  const { shakeHands, notify, reply, on } = makeHost();
  shakeHands();
  notify("ui/notifications/size-changed", { height: 200 });
  notify("ui/notifications/size-changed", "garbage");
  reply(1, { result: {} });
  notify("ui/notifications/size-changed", { height: 90 });
  expect(on.onSize).toHaveBeenCalledExactlyOnceWith({ height: 200 });
});

test("closing an open question cancels it, then lets the app close itself", async () => {
  const { host, shakeHands, reply, sent } = makeHost();
  shakeHands();
  const closed = host.close("the form took over");
  expect(sent.slice(2)).toEqual([
    { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1, reason: "the form took over" } },
    { jsonrpc: "2.0", id: 2, method: "ui/resource-teardown", params: { reason: "the form took over" } },
  ]);
  reply(2, { result: {} });
  await closed;
  expect(vi.getTimerCount()).toBe(0);
});

test("closing after an answer cancels nothing", async () => {
  const { host, shakeHands, reply, methods } = makeHost();
  shakeHands();
  reply(1, { result: {} });
  const closed = host.close("answered");
  expect(methods().slice(2)).toEqual(["ui/resource-teardown"]);
  reply(2, { error: { code: -32601, message: "no handler" } });
  await closed;
});

test("an app that does not answer the teardown gets 250 ms", async () => {
  const { host, shakeHands } = makeHost();
  shakeHands();
  const done = vi.fn();
  const closed = host.close("x").then(done);
  await vi.advanceTimersByTimeAsync(249);
  expect(done).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await closed;
});

test("an answer while closing is ignored, and closing twice is closing once", async () => {
  const { host, shakeHands, reply, on, methods } = makeHost();
  shakeHands();
  const closed = [host.close("a"), host.close("b")];
  reply(1, { result: { action: "accept" } });
  reply(2, { result: {} });
  await Promise.all(closed);
  expect(on.onAnswer).not.toHaveBeenCalled();
  expect(methods().filter((method) => method === "ui/resource-teardown")).toHaveLength(1);
});

test("requests are answered while closing too", () => {
  const { host, shakeHands, request, sent } = makeHost();
  shakeHands();
  void host.close("x");
  request("p", "ping");
  expect(sent.at(-1)).toEqual({ jsonrpc: "2.0", id: "p", result: {} });
});

test("nothing is told of changes once closed", () => {
  const { host, shakeHands, methods } = makeHost();
  shakeHands();
  void host.close("x");
  host.contextChanged({ theme: "dark" });
  expect(methods()).not.toContain("ui/notifications/host-context-changed");
});

test("a hundred instances leave no timer behind", async () => {
  for (let round = 0; round < 100; round += 1) {
    const { host, shakeHands } = makeHost();
    if (round % 2) shakeHands();
    const closed = host.close("x");
    await vi.advanceTimersByTimeAsync(250);
    await closed;
  }
  expect(vi.getTimerCount()).toBe(0);
});
