/** Pages of servers' apps, written by hand: no SDK, and only what a test needs. */

export const OUTER_POLICY = "frame-src 'none'";
export const INNER_POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; " +
  "media-src data: blob:; connect-src 'none'; frame-src 'none'; worker-src blob:; object-src 'none'; " +
  "form-action 'none'; base-uri about:";

const CLIENT = `
const waiting = new Map();
const seen = [];
let next = 0;
let question;
const asked = new Promise((resolve) => { question = resolve; });
const post = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
const ask = (method, params) => new Promise((resolve) => {
  const id = next++;
  waiting.set(id, resolve);
  post({ id, method, params });
});
addEventListener("message", ({ source, data }) => {
  if (source !== parent) return;
  seen.push(data.method ?? "response");
  if (data.method === "elicitation/create") question(data);
  else if (data.method === "ui/resource-teardown") post({ id: data.id, result: {} });
  else if (data.method === undefined) waiting.get(data.id)?.(data);
});
const start = async (elicitation = {}) => {
  const appInfo = { name: "hand", version: "1" };
  const reply = await ask("ui/initialize", { appInfo, appCapabilities: { elicitation }, protocolVersion: "2026-01-26" });
  post({ method: "ui/notifications/initialized" });
  return reply.result;
};
const answer = async (content, action = "accept") => post({ id: (await asked).id, result: { action, content } });
const attempt = async (what) => {
  try { return { ok: String(await what()) }; } catch (error) { return { error: error.name }; }
};
`;

/** A page with the client above, whose script may use `start`, `asked`, `answer`, `attempt` and `post`. */
export function appPage(script: string, body = ""): string {
  return `<html lang="en"><body>${body}<script>${CLIENT}(async () => {${script}})();</script></body></html>`;
}

/** An app that sends its messages to the origin that it was addressed from, as careful apps do. */
export const PINNED_PAGE = `<!doctype html><script>
let origin = "*";
const post = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, origin);
addEventListener("message", (event) => {
  if (event.source !== parent) return;
  origin = event.origin;
  const { id, method } = event.data;
  if (method === "elicitation/create") post({ id, result: { action: "accept", content: { origin: event.origin } } });
  else if (id === "init") post({ method: "ui/notifications/initialized" });
});
const params = { appInfo: { name: "p", version: "1" }, appCapabilities: { elicitation: {} }, protocolVersion: "2026-01-26" };
post({ id: "init", method: "ui/initialize", params });
</script>`;
