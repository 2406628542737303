/**
 * Apps on the real SDK, old and new, that answer a question in the same way.
 * Used in node over a transport of the test, and bundled into pages that run in the frames.
 */

import type { McpUiAppCapabilities } from "@modelcontextprotocol/ext-apps";
import { App } from "@modelcontextprotocol/ext-apps";
import { App as OldApp } from "ext-apps-1";
import { z } from "zod";

type Capabilities = McpUiAppCapabilities & { elicitation?: object };
export type Params = Record<string, unknown>;
export type Answer = (params: Params, signal: AbortSignal) => unknown;

const INFO = { name: "sdk-app", version: "1.0.0" };
const CAPABILITIES: Capabilities = { elicitation: {} };
const OPTIONS = { autoResize: false };
const ANYTHING = z.looseObject({});

/** The three-argument form, as the two-argument one drops what its schema does not know. */
export function newApp(answer: Answer, capabilities: Capabilities = CAPABILITIES, options = OPTIONS): App {
  const app = new App(INFO, capabilities, options);
  app.setRequestHandler("elicitation/create", { params: ANYTHING }, (async (
    params: Params,
    context: { mcpReq: { signal: AbortSignal } },
  ) => answer(params, context.mcpReq.signal)) as never);
  return app;
}

/** 1.7.5 refuses a handler for a method that it does not know, so a server's app has to lift that. */
class LiftedApp extends OldApp {
  override assertRequestHandlerCapability(): void {}
}

const OLD_REQUEST = z.looseObject({ method: z.literal("elicitation/create"), params: ANYTHING });

export function oldApp(answer: Answer, capabilities: Capabilities = CAPABILITIES, options = OPTIONS): OldApp {
  const app = new LiftedApp(INFO, capabilities, options);
  app.setRequestHandler(
    OLD_REQUEST as never,
    (async (request: { params: Params }, extra: { signal: AbortSignal }) =>
      answer(request.params, extra.signal)) as never,
  );
  return app;
}
