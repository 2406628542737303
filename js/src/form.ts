/**
 * Gives the form that Python drew with ipywidgets its accessible names and its keys.
 * Fields are drawn later than the head and may be drawn anew, so everything is set again after each change.
 */

import type { FieldMark, Key } from "./messages";
import { DRAWING, type Panel } from "./panel";

const CONTROLS = "input, textarea, select";

let counter = 0;

export class FormMarks {
  readonly #panel: Panel;
  #fields: FieldMark[] = [];
  /** The field to move the focus to when it is drawn. */
  #wanted: string | null = null;
  #followsPerson = false;

  constructor(panel: Panel, onKey: (key: Key["key"]) => void, signal: AbortSignal) {
    this.#panel = panel;
    const observer = new MutationObserver(() => this.#update());
    observer.observe(panel.root, DRAWING);
    signal.addEventListener("abort", () => observer.disconnect());
    // Capturing, as the text boxes of ipywidgets keep their keys to themselves.
    panel.root.addEventListener("keydown", (event) => this.#onKey(event, onKey), { capture: true, signal });
  }

  show(fields: FieldMark[]): void {
    this.#fields = fields;
    if (fields.length === 0) this.#wanted = null;
    this.#update();
  }

  /** Move the focus to the first control of a field, now or when it is drawn. */
  focus(css: string): void {
    this.#wanted = css;
    this.#followsPerson = false;
    this.#moveFocus();
  }

  /** Move the focus to the first field, but only while the person is in this panel: nobody is called away from a cell. */
  focusFirst(): void {
    this.#wanted = this.#fields[0]?.css ?? null;
    this.#followsPerson = true;
    this.#moveFocus();
  }

  #update(): void {
    for (const mark of this.#fields) {
      const field = this.#field(mark.css);
      if (field) markField(field, mark);
    }
    this.#moveFocus();
  }

  #moveFocus(): void {
    if (this.#followsPerson && !this.#panel.hasFocus) this.#wanted = null;
    if (this.#wanted === null) return;
    const field = this.#field(this.#wanted);
    const control = field && controlsOf(field)[0];
    if (!control) return;
    this.#wanted = null;
    control.focus();
  }

  #field(css: string): HTMLElement | null {
    return this.#panel.root.querySelector<HTMLElement>(`.${CSS.escape(css)}`);
  }

  #onKey(event: KeyboardEvent, onKey: (key: Key["key"]) => void): void {
    const { target } = event;
    if (event.isComposing || event.defaultPrevented || !(target instanceof HTMLElement)) return;
    if (event.key === "Escape" && !closesByItself(target)) {
      event.preventDefault();
      event.stopPropagation();
      onKey("escape");
    } else if (event.key === "Enter" && this.#isOnlyTextBox(target)) {
      event.preventDefault();
      // ipywidgets takes the text over when the box loses the focus; only then it may be sent.
      target.blur();
      onKey("enter");
    }
  }

  #isOnlyTextBox(target: HTMLElement): boolean {
    const [only, ...others] = this.#fields;
    if (!only || others.length > 0 || !isTextBox(target)) return false;
    return this.#field(only.css)?.contains(target) ?? false;
  }
}

/** Escape closes an open list, and nothing tells whether a list is open: that must not cancel a question. */
function closesByItself(target: HTMLElement): boolean {
  return target instanceof HTMLSelectElement && !target.multiple;
}

function isTextBox(target: HTMLElement): boolean {
  return target instanceof HTMLInputElement && !isChoice(target);
}

function isChoice(control: HTMLElement): boolean {
  return control instanceof HTMLInputElement && ["radio", "checkbox"].includes(control.type);
}

function controlsOf(field: HTMLElement): HTMLElement[] {
  return [...field.querySelectorAll<HTMLElement>(CONTROLS)];
}

function markField(field: HTMLElement, mark: FieldMark): void {
  const label = idOf(field.querySelector(".mew-label"));
  const help = idOf(field.querySelector(".mew-help"));
  const error = mark.invalid ? idOf(field.querySelector(".mew-error")) : null;
  const described = [help, error].filter((id) => id !== null).join(" ") || null;
  const controls = controlsOf(field);
  const isGroup = controls.length > 1 || controls.some(isChoice);
  for (const control of controls) {
    // A choice is named by its own text, and the group by the label; one label for all would hide what each means.
    setAttribute(control, "aria-labelledby", isGroup ? null : label);
    setAttribute(control, "aria-describedby", described);
    setAttribute(control, "aria-required", isGroup ? null : String(mark.required));
    setAttribute(control, "aria-invalid", String(mark.invalid));
  }
  if (!isGroup) return;
  const isRadio = controls.every((control) => control instanceof HTMLInputElement && control.type === "radio");
  setAttribute(field, "role", isRadio ? "radiogroup" : "group");
  setAttribute(field, "aria-labelledby", label);
  setAttribute(field, "aria-describedby", described);
  // A group of boxes has no such state: "required" would mean each of them.
  setAttribute(field, "aria-required", isRadio ? String(mark.required) : null);
  setAttribute(field, "aria-invalid", isRadio ? String(mark.invalid) : null);
}

function setAttribute(element: HTMLElement, name: string, value: string | null): void {
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

function idOf(element: Element | null): string | null {
  if (!element) return null;
  if (!element.id) {
    counter += 1;
    element.id = `mew-${counter}`;
  }
  return element.id;
}
