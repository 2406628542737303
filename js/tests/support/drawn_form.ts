/** The form as Python draws it (`views/form.py`), made of real ipywidgets in the page. */

import type { Page } from "playwright-core";

export interface DrawnField {
  label: string;
  help?: string;
  /** Model name and state of the control, or of each control in a box. */
  controls: [name: string, state: object][];
}

/** Make the widgets of a form; returns the ids of all models. Nothing is drawn yet. */
export async function makeForm(page: Page, fields: DrawnField[]): Promise<string[]> {
  return page.evaluate(async (list) => {
    const { make } = window.widgets;
    const ids: string[] = [];
    const add = async (id: string, name: string, state: Record<string, unknown>): Promise<string> => {
      await make(id, name, state);
      ids.push(id);
      return id;
    };
    const line = (id: string, value: string, css: string) => add(id, "HTML", { value, _dom_classes: [css] });
    const rows: string[] = [];
    for (const [number, field] of list.entries()) {
      const at = (part: string) => `${part}-${number}`;
      const parts = [await line(at("label"), field.label, "mew-label")];
      if (field.help) parts.push(await line(at("help"), field.help, "mew-help"));
      const made: string[] = [];
      for (const [index, [name, state]] of field.controls.entries())
        made.push(await add(made.length === 0 ? at("control") : `${at("control")}-${index}`, name, { ...state }));
      parts.push(...(made.length > 1 ? [await add(at("box"), "VBox", { children: made })] : made));
      parts.push(await line(at("error"), "", "mew-error"));
      rows.push(await add(at("row"), "VBox", { children: parts, _dom_classes: ["mew-field", `mew-field-${number}`] }));
    }
    await add("form", "VBox", { children: rows, _dom_classes: ["mew-form"] });
    return ids;
  }, fields);
}

export async function drawForm(page: Page, view: number): Promise<void> {
  await page.evaluate((v) => window.widgets.draw("form", window.harness.view(v).panel), view);
}

export const text = (state: object = {}): [string, object] => ["Text", { continuous_update: false, ...state }];
