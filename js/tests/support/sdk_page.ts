/** Runs inside the frames: an app of the SDK, bundled as a server would. `VERSION` is put in by the test's bundler. */

import { type Answer, newApp, oldApp } from "./sdk_apps";

declare const VERSION: "new" | "old";

const changes: unknown[] = [];
let changed = (): void => {};

const answer: Answer = async (params) => {
  const context = app.getHostContext();
  if (params.message !== "until dark") return { action: "accept", content: { params, context } };
  await new Promise<void>((resolve) => {
    changed = resolve;
  });
  return { action: "accept", content: { changes, theme: app.getHostContext()?.theme } };
};

const make = VERSION === "new" ? newApp : oldApp;
const app = make(answer, { elicitation: {} }, { autoResize: true });
app.onhostcontextchanged = (change: unknown) => {
  changes.push(change);
  changed();
};
document.body.append("An app of the SDK");
await app.connect();
