/** What JupyterLab saves of the form, with the widget manager and the widgets that it uses. */

import { beforeAll, expect, test } from "vitest";
import { bundle, useBench } from "../support/browser";
import { type DrawnField, drawForm, makeForm, text } from "../support/drawn_form";

const bench = useBench();
let harness: string;
let widgets: string;

beforeAll(async () => {
  harness = await bundle("tests/support/harness.ts");
  widgets = await bundle("tests/support/widgets.ts");
});

const FIELDS: DrawnField[] = [
  {
    label: "secret-label",
    help: "secret-help",
    controls: [text({ value: "secret-value", placeholder: "secret-hint" })],
  },
  { label: "x", controls: [["Dropdown", { _options_labels: ["secret-option"], index: 0 }]] },
  { label: "x", controls: [["Checkbox", { description: "secret-choice", value: true }]] },
];

const SECRETS = ["secret-label", "secret-help", "secret-value", "secret-hint", "secret-option", "secret-choice"];

async function open(): Promise<{ view: number; ids: string[] }> {
  const page = await bench.load(harness, widgets);
  const ids = await makeForm(page, FIELDS);
  const view = await bench.open();
  await page.evaluate((v) => {
    window.harness.view(v).model.widget_manager = window.widgets.manager;
  }, view);
  return { view, ids };
}

/** The harness gives its manager at render, so a view opened now has the real one. */
async function openShielded(): Promise<{ view: number; ids: string[] }> {
  const { view: first, ids } = await open();
  const view = await bench.page.evaluate((v) => window.harness.openSecond(v), first);
  return { view, ids };
}

const saved = (dropDefaults: boolean) => bench.page.evaluate((drop) => window.widgets.saved(drop), dropDefaults);

/** Covering a model takes a few promises; a save may come at any time after. */
const shielded = () => bench.page.waitForFunction((secret) => !window.widgets.saved(true).includes(secret), "secret-");

test("control: without the shield all of it is saved", async () => {
  await open();
  await bench.show({ state: "form", shield: [] });
  for (const secret of SECRETS) expect(await saved(true)).toContain(secret);
});

test.each([true, false])("nothing of the form is saved, with drop_defaults %j", async (dropDefaults) => {
  const { ids } = await openShielded();
  await bench.show({ state: "form", shield: ids });
  await shielded();
  const state = await saved(dropDefaults);
  for (const secret of [...SECRETS, "secret"]) expect(state).not.toContain(secret);
  // Each model is still there, so that a notebook with this state can be opened.
  expect(Object.keys(JSON.parse(state).state).sort()).toEqual([...ids].sort());
});

test("what is typed later goes to the kernel, and not into the notebook", async () => {
  const { view, ids } = await openShielded();
  await bench.show({ state: "form", shield: ids });
  await drawForm(bench.page, view);
  await shielded();
  const box = bench.page.locator(".mew-field-0 input");
  await box.fill("typed");
  await box.blur();
  const patches = await bench.page.evaluate(() => window.widgets.synced);
  expect(patches).toContainEqual(["control-0", expect.objectContaining({ state: { value: "typed" } })]);
  expect(await saved(true)).not.toContain("typed");
});

// The comm of this page never reports idle, like ipykernel 7.4 while a cell awaits.
test.each([
  ["leave at once", true, ["one", "two"]],
  ["wait for the kernel without the shield (control)", false, ["one"]],
])("two changes in a row %s", async (_, isShielded, values) => {
  const { view, ids } = await openShielded();
  await bench.show({ state: "form", shield: isShielded ? ids : [] });
  await drawForm(bench.page, view);
  if (isShielded) await shielded();
  const box = bench.page.locator(".mew-field-0 input");
  for (const value of ["one", "two"]) {
    await box.fill(value);
    await box.blur();
  }
  const sent = await bench.page.evaluate(() =>
    window.widgets.synced
      .filter(([id]) => id === "control-0")
      .map(([, data]) => (data as { state?: { value?: string } }).state?.value),
  );
  expect(sent.filter((value) => value !== undefined)).toEqual(values);
});

test("what the kernel sets is drawn", async () => {
  const { view, ids } = await openShielded();
  await bench.show({ state: "form", shield: ids });
  await drawForm(bench.page, view);
  await shielded();
  await bench.page.evaluate(() => window.widgets.update("control-0", { value: "from the kernel" }));
  expect(await bench.page.locator(".mew-field-0 input").inputValue()).toBe("from the kernel");
  expect(await saved(true)).not.toContain("from the kernel");
});

test("a model that comes later is covered by the next message", async () => {
  await openShielded();
  await bench.show({ state: "form", shield: ["late"] });
  await bench.page.evaluate(() => window.widgets.make("late", "Text", { value: "late-secret" }));
  expect(await saved(true)).toContain("late-secret");
  await bench.show({ state: "form", shield: ["late"] });
  await bench.page.waitForFunction(() => !window.widgets.saved(true).includes("late-secret"));
});

test("a notebook that was saved so can be opened again", async () => {
  const { ids } = await openShielded();
  await bench.show({ state: "form", shield: ids });
  await shielded();
  const state = await saved(true);
  await bench.load(harness, widgets);
  await bench.page.evaluate(async (text) => {
    await window.widgets.manager.set_state(JSON.parse(text));
    await window.widgets.draw("control-0", document.body);
  }, state);
  expect(await bench.page.locator("input").inputValue()).toBe("");
});
