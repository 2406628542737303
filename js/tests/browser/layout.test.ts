/** The panel with the style sheets of ipywidgets and ours: nothing is cut off or runs out of it. */

import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { bundle, useBench } from "../support/browser";
import { type DrawnField, drawForm, makeForm, text } from "../support/drawn_form";

const LONG =
  "A rather long label that a server may well send, with an_unbreakable_word_that_goes_on_and_on_and_on_and_on ".repeat(
    2,
  );
const FIELDS: DrawnField[] = [
  { label: `${LONG}*`, help: LONG, controls: [text({ placeholder: LONG })] },
  { label: "Risk *", controls: [["RadioButtons", { _options_labels: ["low", LONG], index: null }]] },
  { label: "Region", controls: [["Dropdown", { _options_labels: [LONG], index: 0 }]] },
  { label: "Tags", controls: [1, 2].map(() => ["Checkbox", { description: LONG, indent: false }]) },
  { label: "Several", controls: [["SelectMultiple", { _options_labels: [LONG, "b"], index: [] }]] },
  { label: "Note", controls: [["Textarea", {}]] },
];
const BUTTONS = [
  ["Accept", "mew-accept"],
  ["Decline", "mew-decline"],
  ["Cancel", "mew-cancel"],
  ["Use the form instead", "mew-link"],
  ["Stop call", "mew-stop"],
];
const DARK = `:root { color-scheme: dark; --jp-layout-color1: #111; --jp-layout-color2: #424242; --jp-ui-font-color1: #fff;
  --jp-ui-font-color2: #bdbdbd; --jp-border-color1: #616161; --jp-border-color2: #424242; --jp-error-color1: #f44336;
  --jp-content-link-color: #42a5f5; --jp-brand-color0: #1976d2; --jp-brand-color1: #2196f3; }
  body { background: #111; }`;

const bench = useBench();
let harness: string;
let widgets: string;
let styles: string;

beforeAll(async () => {
  harness = await bundle("tests/support/harness.ts");
  widgets = await bundle("tests/support/widgets.ts");
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
  // The sheet of ipywidgets asks a font service; JupyterLab's own build does not.
  styles = read("node_modules/@jupyter-widgets/controls/css/widgets.built.css").replace(/@import[^;]+;/g, "");
  styles += read("src/card.css");
});

async function draw(width: number, theme: "light" | "dark"): Promise<void> {
  const page = await bench.load(harness, widgets);
  await page.setViewportSize({ width: width + 16, height: 900 });
  await page.addStyleTag({ content: styles + (theme === "dark" ? DARK : "") });
  await makeForm(page, FIELDS);
  const view = await bench.open();
  const fields = FIELDS.map((_, number) => ({ css: `mew-field-${number}`, required: true, invalid: number === 0 }));
  const note = "The built-in form is used: the app did not start within 15 s.";
  await bench.show({ state: "form", message: `${LONG}\n`.repeat(12), note, fields });
  await drawForm(page, view);
  await page.evaluate(
    async ([list, v]) => {
      const ids: string[] = [];
      for (const [description, css] of list) {
        await window.widgets.make(`button-${css}`, "Button", { description, _dom_classes: [css] });
        ids.push(`button-${css}`);
      }
      await window.widgets.make("buttons", "HBox", { children: ids, _dom_classes: ["mew-buttons"] });
      window.widgets.update("error-0", { value: "⚠ Give a name" });
      await window.widgets.draw("buttons", window.harness.view(v as number).panel);
    },
    [BUTTONS, view] as const,
  );
  await page.locator(".mew-stop").waitFor();
  if (process.env.SCREENSHOTS)
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/form-${width}-${theme}.png`, fullPage: true });
}

describe.each(["light", "dark"] as const)("a form in a %s notebook", (theme) => {
  test.each([480, 900])("fits into %i px", async (width) => {
    await draw(width, theme);
    const outside = await bench.page.evaluate(() => {
      const panel = document.querySelector(".mew-panel") as HTMLElement;
      const { left, right } = panel.getBoundingClientRect();
      const isOutside = (element: Element) => {
        const box = element.getBoundingClientRect();
        return box.width > 1 && (box.left < left || box.right > right);
      };
      const names = [...panel.querySelectorAll("*")]
        .filter(isOutside)
        .map((element) => element.className || element.tagName);
      return { names, scrolls: document.documentElement.scrollWidth > window.innerWidth, width: right - left };
    });
    expect(outside).toEqual({ names: [], scrolls: false, width: expect.any(Number) });
    expect(outside.width).toBeLessThanOrEqual(760);
  });
});

test("labels, help, errors and choices are not cut", async () => {
  await draw(480, "light");
  const cut = await bench.page.evaluate(() =>
    [...document.querySelectorAll(".mew-label, .mew-help, .mew-error, .mew-field label, .mew-buttons button")]
      .filter((element) => getComputedStyle(element).display !== "none")
      .filter(
        (element) => element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1,
      )
      .map((element) => `${element.className} ${element.textContent?.slice(0, 20)}`),
  );
  expect(cut).toEqual([]);
});

test("a long message scrolls in its own box", async () => {
  await draw(900, "light");
  const box = await bench.page.locator(".mew-message").evaluate((message) => ({
    scrolls: message.scrollHeight > message.clientHeight,
    height: message.clientHeight,
  }));
  expect(box.scrolls).toBe(true);
  expect(box.height).toBeLessThan(300);
});
