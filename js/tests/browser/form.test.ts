/** The form that Python draws with ipywidgets: names for screen readers, keys and focus. */

import { beforeAll, describe, expect, test } from "vitest";
import { bundle, useBench } from "../support/browser";
import { type DrawnField, drawForm, makeForm, text } from "../support/drawn_form";
import { appPage } from "../support/pages";

const bench = useBench();
let harness: string;
let widgets: string;

beforeAll(async () => {
  harness = await bundle("tests/support/harness.ts");
  widgets = await bundle("tests/support/widgets.ts");
});

const marks = (fields: DrawnField[], invalid: number[] = []) =>
  fields.map((_, number) => ({
    css: `mew-field-${number}`,
    required: number === 0,
    invalid: invalid.includes(number),
  }));

async function openForm(fields: DrawnField[]): Promise<number> {
  await bench.load(harness, widgets);
  await makeForm(bench.page, fields);
  const view = await bench.open();
  await bench.show({ state: "form", fields: marks(fields) });
  await drawForm(bench.page, view);
  return view;
}

const MANAGER: DrawnField = { label: "Manager *", help: "First and last name", controls: [text()] };
const NOTE: DrawnField = { label: "Note (optional)", controls: [["Textarea", {}]] };
const RISK: DrawnField = {
  label: "Risk *",
  controls: [["RadioButtons", { _options_labels: ["low", "high"], index: null }]],
};
const TAGS: DrawnField = {
  label: "Tags (optional)",
  controls: [
    ["Checkbox", { description: "old", indent: false }],
    ["Checkbox", { description: "new", indent: false }],
  ],
};
const REGION: DrawnField = {
  label: "Region *",
  controls: [["Dropdown", { _options_labels: ["– choose –", "EU"], index: 0 }]],
};

describe("a control", () => {
  test("is named by its label and described by its help, though it is drawn after the head", async () => {
    await openForm([MANAGER, NOTE]);
    const manager = bench.page.getByRole("textbox", { name: "Manager *" });
    expect(await manager.getAttribute("aria-required")).toBe("true");
    expect(await manager.getAttribute("aria-invalid")).toBe("false");
    const described = await manager.evaluate(
      (element) => document.getElementById(element.getAttribute("aria-describedby") ?? "")?.textContent,
    );
    expect(described?.trim()).toBe("First and last name");
    const note = bench.page.getByRole("textbox", { name: "Note (optional)" });
    expect(await note.getAttribute("aria-required")).toBe("false");
    expect(await note.getAttribute("aria-describedby")).toBeNull();
  });

  test("is described by its error while it is invalid", async () => {
    await openForm([MANAGER]);
    await bench.page.evaluate(() => window.widgets.update("error-0", { value: "⚠ Give a name" }));
    await bench.show({ state: "form", fields: marks([MANAGER], [0]) });
    const manager = bench.page.getByRole("textbox", { name: "Manager *" });
    const describedBy = () =>
      manager.evaluate((element) =>
        (element.getAttribute("aria-describedby") ?? "")
          .split(" ")
          .map((id) => document.getElementById(id)?.textContent?.trim()),
      );
    expect(await describedBy()).toEqual(["First and last name", "⚠ Give a name"]);
    expect(await manager.getAttribute("aria-invalid")).toBe("true");
    await bench.show({ state: "form", fields: marks([MANAGER]) });
    expect(await describedBy()).toEqual(["First and last name"]);
  });

  test("that is a list is named by its label", async () => {
    await openForm([REGION]);
    await bench.page.getByRole("combobox", { name: "Region *" }).waitFor();
  });

  test("in a second form of the page has its own label", async () => {
    await openForm([MANAGER]);
    const second = await bench.open();
    await bench.show({ state: "form", fields: marks([MANAGER]) });
    await drawForm(bench.page, second);
    const ids = () => bench.page.$$eval("[id^=mew-]", (elements) => elements.map(({ id }) => id));
    await bench.page.getByRole("textbox", { name: "Manager *" }).nth(1).waitFor();
    expect(new Set(await ids()).size).toBe((await ids()).length);
  });
});

describe("several controls", () => {
  test("that exclude each other are a radio group, and keep their own names", async () => {
    await openForm([RISK]);
    const group = bench.page.getByRole("radiogroup", { name: "Risk *" });
    expect(await group.getAttribute("aria-required")).toBe("true");
    expect(await group.getByRole("radio", { name: "high" }).count()).toBe(1);
  });

  test("that do not are a group", async () => {
    await openForm([TAGS]);
    const group = bench.page.getByRole("group", { name: "Tags (optional)" });
    expect(await group.getByRole("checkbox", { name: "new" }).count()).toBe(1);
    expect(await group.getAttribute("aria-required")).toBeNull();
  });

  test("that come with new options are marked again", async () => {
    await openForm([RISK]);
    await bench.show({ state: "form", fields: marks([RISK], [0]) });
    await bench.page.evaluate(() => window.widgets.update("control-0", { _options_labels: ["a", "b", "c"] }));
    await bench.page.getByRole("radio", { name: "c" }).waitFor();
    await bench.page.waitForFunction(() => document.querySelectorAll("input[aria-invalid=true]").length === 3);
  });
});

describe("a key", () => {
  const keys = async () => (await bench.sent()).filter(({ kind }) => kind === "key").map(({ key }) => key);

  test("Escape in a text box, which keeps its keys to itself, is told", async () => {
    await openForm([MANAGER]);
    await bench.page.getByRole("textbox").press("Escape");
    expect(await bench.next("key")).toMatchObject({ key: "escape", view: await bench.viewId() });
  });

  test("Escape is told while an app asks, and not when nobody does", async () => {
    await openForm([MANAGER]);
    for (const state of ["working", "sent"] as const) {
      await bench.show({ state, fields: [] });
      await bench.page.getByRole("textbox").press("Escape");
    }
    expect(await keys()).toEqual([]);
    await bench.show({ state: "app" });
    await bench.page.getByRole("textbox").press("Escape");
    expect(await keys()).toEqual(["escape"]);
  });

  test("Escape that may close a list does not cancel the question", async () => {
    await openForm([REGION, MANAGER]);
    await bench.page.getByRole("combobox").press("Escape");
    expect(await keys()).toEqual([]);
  });

  test("Enter in the only text box is told, after what was typed went to the kernel", async () => {
    const view = await openForm([MANAGER]);
    await bench.page.evaluate((v) => {
      const { model } = window.harness.view(v);
      const send = model.send.bind(model);
      model.send = (content) => send({ ...content, before: window.widgets.synced.map(([, data]) => data) });
    }, view);
    await bench.page.getByRole("textbox").fill("Ada");
    await bench.page.getByRole("textbox").press("Enter");
    const { key, before } = await bench.next("key");
    expect(key).toBe("enter");
    expect(JSON.stringify(before)).toContain('"value":"Ada"');
  });

  test.each([
    ["with two fields", [MANAGER, MANAGER]],
    ["in a long text", [NOTE]],
    ["on a choice", [RISK]],
  ])("Enter %s is not told", async (_, fields) => {
    await openForm(fields);
    const control = bench.page.locator("input, textarea").first();
    await control.press("Enter");
    expect(await keys()).toEqual([]);
  });

  test("in the panel is kept from JupyterLab's shortcuts, but for those with a modifier", async () => {
    await openForm([RISK]);
    const seen = () => bench.page.evaluate(() => (window as never as { seen: boolean[] }).seen);
    await bench.page.evaluate(() => {
      Object.assign(window, { seen: [] });
      // Where JupyterLab's command registry looks, and how: the target comes first.
      const look = ({ target }: Event) =>
        (window as never as { seen: boolean[] }).seen.push(
          (target as Element).hasAttribute("data-lm-suppress-shortcuts"),
        );
      document.addEventListener("keydown", look, true);
    });
    await bench.page.getByRole("radio").first().focus();
    await bench.page.keyboard.press("ArrowDown");
    await bench.page.keyboard.press("Control+s");
    await bench.page.keyboard.press("d");
    expect((await seen()).filter((_, index) => index !== 1)).toEqual([true, false, true]);
  });
});

describe("the focus", () => {
  const focused = () => bench.page.evaluate(() => document.activeElement?.id ?? "");

  /** A panel with a button, as Python draws it, and a cell beside it. The button goes when the form comes. */
  async function beforeForm(): Promise<number> {
    await bench.load(harness, widgets);
    await makeForm(bench.page, [MANAGER, NOTE]);
    const view = await bench.run(appPage("await start();", "<input>"));
    await bench.page.evaluate((v) => {
      const cell = document.createElement("textarea");
      cell.id = "cell";
      const button = document.createElement("button");
      button.id = "switch";
      button.textContent = "Use the form instead";
      button.addEventListener("click", () => button.remove());
      document.body.prepend(cell);
      window.harness.view(v).panel.append(button);
    }, view);
    await bench.page.waitForFunction(() => document.querySelector(".mew-live")?.textContent === "The app is ready.");
    return view;
  }

  async function toForm(view: number): Promise<void> {
    await bench.deliver({ kind: "stop", reason: "the form took over" });
    await bench.show({ state: "form", fields: marks([MANAGER, NOTE]) });
    await drawForm(bench.page, view);
    await bench.page.getByRole("textbox", { name: "Manager *" }).waitFor();
  }

  const isOnManager = () => bench.page.waitForFunction(() => document.activeElement?.closest(".mew-field-0") !== null);

  test("goes from a button that was taken away to the first control", async () => {
    const view = await beforeForm();
    await bench.page.locator("#switch").click();
    await toForm(view);
    await isOnManager();
  });

  test("goes from inside the app to the first control", async () => {
    const view = await beforeForm();
    await bench.page
      .locator(".mew-frame > iframe")
      .contentFrame()
      .locator("iframe")
      .contentFrame()
      .locator("input")
      .click();
    await toForm(view);
    await isOnManager();
  });

  test("stays in another cell", async () => {
    const view = await beforeForm();
    await bench.page.locator("#cell").click();
    await toForm(view);
    expect(await focused()).toBe("cell");
  });

  test("stays where it is when it was in the panel and left it", async () => {
    const view = await beforeForm();
    await bench.page.locator("#switch").focus();
    await bench.page.locator("#cell").click();
    await toForm(view);
    expect(await focused()).toBe("cell");
  });

  test("goes to a field that the kernel names", async () => {
    await openForm([MANAGER, NOTE]);
    await bench.page.getByRole("textbox", { name: "Note (optional)" }).waitFor();
    await bench.deliver({ kind: "focus", css: "mew-field-1" });
    expect(await bench.page.evaluate(() => document.activeElement?.tagName)).toBe("TEXTAREA");
    await bench.deliver({ kind: "focus", css: "mew-field-9" });
    expect(await bench.page.evaluate(() => document.activeElement?.tagName)).toBe("TEXTAREA");
  });
});
