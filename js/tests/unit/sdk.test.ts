import { McpUiHostContextSchema } from "@modelcontextprotocol/ext-apps";
import { afterEach, expect, test, vi } from "vitest";
import type { JsonObject } from "../../src/guards";
import { makeHost, PARAMS } from "../support/host";
import { type Answer, newApp, oldApp } from "../support/sdk_apps";

// What theme.ts makes in JupyterLab; the browser tests compare it with the same schema.
const CONTEXT = {
  theme: "dark",
  styles: { variables: { "--color-background-primary": "#111111", "--font-sans": "system-ui" } },
  displayMode: "inline",
  availableDisplayModes: ["inline"],
  containerDimensions: { width: 700, maxHeight: 600 },
  locale: "en",
  timeZone: "Europe/Zurich",
  platform: "web",
  toolInfo: { tool: { name: "assign", inputSchema: { type: "object" } } },
};

const MAKERS = [
  ["2.0.4", newApp],
  ["1.7.5", oldApp],
] as const;

const open: { close: () => Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((app) => app.close()));
});

/** Connects an app of the SDK with our host, as postMessage would. */
async function connect(make: (typeof MAKERS)[number][1], answer: Answer, capabilities?: object) {
  const host = makeHost({
    context: () => CONTEXT,
    post: (message) => queueMicrotask(() => transport.onmessage?.(structuredClone(message) as never)),
  });
  const transport = {
    onmessage: undefined as ((message: never) => void) | undefined,
    start: async () => {},
    close: async () => {},
    send: async (message: unknown) => host.host.receive(structuredClone(message)),
  };
  const app = make(answer, capabilities);
  open.push(app);
  await app.connect(transport as never);
  return { ...host, app };
}

test("the context fits the schema of the SDK", () => {
  expect(McpUiHostContextSchema.parse(CONTEXT)).toEqual(CONTEXT);
});

test.each(MAKERS)("an app on %s shakes hands and learns of its host and surroundings", async (_, make) => {
  const { app } = await connect(make, () => ({ action: "cancel" }));
  expect(app.getHostVersion()).toEqual({ name: "mcp-elicit-widget", version: "1.2.3" });
  expect(app.getHostContext()).toEqual(CONTEXT);
});

test.each(MAKERS)("an app on %s gets the params unchanged and answers", async (_, make) => {
  const answer = vi.fn(() => ({ action: "accept", content: { who: "Ada" } }));
  const { on } = await connect(make, answer);
  await vi.waitFor(() => expect(on.onAnswer).toHaveBeenCalledOnce());
  expect(on.onAnswer).toHaveBeenCalledWith({ action: "accept", content: { who: "Ada" } });
  const [params] = answer.mock.calls[0] as unknown as [JsonObject];
  expect(params).toEqual(PARAMS);
  expect(params).not.toHaveProperty("mode");
});

test.each(MAKERS)("an app on %s whose handler throws is an error reply", async (_, make) => {
  const { on } = await connect(make, () => {
    throw new Error("no data");
  });
  await vi.waitFor(() => expect(on.onFailure).toHaveBeenCalledOnce());
  expect(on.onFailure).toHaveBeenCalledWith("error_reply", expect.stringContaining("no data"));
});

test.each(MAKERS)("an app on %s that cannot answer questions is not asked", async (_, make) => {
  const answer = vi.fn();
  const { on } = await connect(make, answer, {});
  await vi.waitFor(() => expect(on.onFailure).toHaveBeenCalledExactlyOnceWith("no_capability", ""));
  expect(answer).not.toHaveBeenCalled();
});

test.each(MAKERS)("an app on %s sees the cancellation, then closes itself", async (_, make) => {
  const seen: string[] = [];
  const { host, on, app } = await connect(make, (_params, signal) => {
    signal.addEventListener("abort", () => seen.push("aborted"));
    seen.push("asked");
    return new Promise(() => {});
  });
  app.onteardown = (params: unknown) => {
    seen.push(`teardown ${JSON.stringify(params)}`);
    return {};
  };
  await vi.waitFor(() => expect(seen).toEqual(["asked"]));
  await host.close("the form took over");
  expect(seen).toEqual(["asked", "aborted", expect.stringMatching(/^teardown /)]);
  expect(on.onAnswer).not.toHaveBeenCalled();
});

test.each(MAKERS)("an app on %s without a teardown handler is closed all the same", async (_, make) => {
  const { host } = await connect(make, () => new Promise(() => {}));
  await host.close("over");
});

test.each(MAKERS)("an app on %s is told what changed around it", async (_, make) => {
  const { host, app } = await connect(make, () => new Promise(() => {}));
  host.contextChanged({ theme: "light" });
  await vi.waitFor(() => expect(app.getHostContext()?.theme).toBe("light"));
  expect(app.getHostContext()?.locale).toBe("en");
});
