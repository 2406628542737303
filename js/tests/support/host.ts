/** An AppHost that talks with a test instead of a frame. */

import { vi } from "vitest";
import { AppHost, type HostOptions } from "../../src/app_host";
import type { JsonObject } from "../../src/guards";

export const PARAMS = {
  message: "Who manages P-7?",
  requestedSchema: { type: "object", properties: { who: { type: "string", "x-vendor": [1] } } },
  _meta: { "vendor/key": { deep: [null, 1] } },
  unknownSibling: 0,
};

export const INTRODUCTION = {
  appInfo: { name: "app", version: "1" },
  appCapabilities: { elicitation: {} },
  protocolVersion: "2026-01-26",
};

export function makeHost(options: Partial<HostOptions> = {}) {
  const sent: JsonObject[] = [];
  const on = { onStarted: vi.fn(), onAnswer: vi.fn(), onFailure: vi.fn(), onSize: vi.fn() };
  const host = new AppHost({
    params: PARAMS,
    hostVersion: "1.2.3",
    granted: { connectDomains: ["https://a.example"] },
    handshakeSeconds: 15,
    context: () => ({ theme: "light" }),
    isInPage: () => true,
    post: (message) => sent.push(message),
    ...on,
    ...options,
  });
  const request = (id: unknown, method: string, params?: unknown) =>
    host.receive({ jsonrpc: "2.0", id, method, params });
  const notify = (method: string, params?: unknown) => host.receive({ jsonrpc: "2.0", method, params });
  const reply = (id: unknown, outcome: JsonObject) => host.receive({ jsonrpc: "2.0", id, ...outcome });
  const shakeHands = (appCapabilities: unknown = { elicitation: {} }) => {
    request(0, "ui/initialize", { ...INTRODUCTION, appCapabilities });
    notify("ui/notifications/initialized");
  };
  const methods = () => sent.map((message) => message.method ?? "response");
  return { host, sent, on, request, notify, reply, shakeHands, methods };
}
