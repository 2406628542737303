/** Apps of the real SDK, bundled by esbuild, in the real frames. */

import { McpUiHostContextSchema } from "@modelcontextprotocol/ext-apps";
import { build } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import { bundle, useBench } from "../support/browser";

const bench = useBench();
let harness: string;
const pages: Record<string, string> = {};

async function page(version: "new" | "old"): Promise<string> {
  const result = await build({
    entryPoints: ["tests/support/sdk_page.ts"],
    bundle: true,
    write: false,
    format: "esm",
    minify: true,
    target: "es2022",
    define: { VERSION: JSON.stringify(version) },
  });
  const script = (result.outputFiles[0]?.text ?? "").replaceAll("</script", "<\\/script");
  return `<!doctype html><html><body style="height:222px;margin:0"><script type="module">${script}</script></body></html>`;
}

beforeAll(async () => {
  harness = await bundle("tests/support/harness.ts");
  pages.new = await page("new");
  pages.old = await page("old");
});

describe.each([
  ["2.0.4", "new"],
  ["1.7.5", "old"],
] as const)("an app on %s", (_, version) => {
  const run = async (message: string, context: object = {}) => {
    await bench.load(harness);
    const requestedSchema = { type: "object", properties: { a: { type: "string", "x-vendor": 1 } } };
    const params = { message, requestedSchema, _meta: { "v/k": 1 }, sibling: [0] };
    await bench.run(pages[version] ?? "", { params, context });
    return params;
  };

  test("gets the question unchanged, and a context that the SDK's schema takes whole", async () => {
    const toolInfo = { tool: { name: "assign", inputSchema: { type: "object" } } };
    const params = await run("Who?", { toolInfo });
    const content = (await bench.content()) as { params: unknown; context: Record<string, unknown> };
    expect(content.params).toEqual(params);
    expect(McpUiHostContextSchema.parse(content.context)).toEqual(content.context);
    expect(content.context).toMatchObject({
      theme: "light",
      platform: "web",
      displayMode: "inline",
      availableDisplayModes: ["inline"],
      locale: "en",
      containerDimensions: { width: expect.any(Number), maxHeight: 600 },
      toolInfo,
    });
  });

  test("is told of a change of theme, and only of what changed", async () => {
    await run("until dark");
    const { page: notebook } = bench;
    await notebook.waitForFunction(() => document.querySelector(".mew-live")?.textContent === "The app is ready.");
    await notebook.evaluate(() => {
      document.body.dataset.jpThemeLight = "false";
    });
    const content = (await bench.content()) as { theme: string; changes: Record<string, unknown>[] };
    expect(content.theme).toBe("dark");
    expect(content.changes.map((change) => Object.keys(change))).toEqual([["theme", "styles"]]);
  });

  test("gets the height that it measures", async () => {
    // Still open: what an app measures after its answer does not count.
    await run("until dark");
    await bench.page.waitForFunction(
      () => document.querySelector<HTMLElement>(".mew-frame > iframe")?.style.height === "222px",
    );
  });
});
