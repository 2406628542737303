/**
 * Keeps drafts of answers out of the notebook.
 *
 * JupyterLab with `saveState: true` writes, on each save, `model.serialize(model.get_state(true))` of every widget
 * into the notebook's metadata. Live changes take another way (`save_changes`, which syncs the changed attributes as a
 * patch), so `get_state` of the instances that hold drafts can be narrowed without touching what the kernel sees.
 */

import { isObject, type JsonObject } from "./guards";
import { unthrottle } from "./throttle";

/** What says which widget it is; everything else may hold a label, an option, a default or what was typed. */
const KEPT = [
  "_model_module",
  "_model_module_version",
  "_model_name",
  "_view_module",
  "_view_module_version",
  "_view_name",
];

interface Saved {
  get_state: (dropDefaults?: boolean) => JsonObject;
}

/** The part of a widget manager that is used; `kernel` is JupyterLab's. */
export interface Manager {
  get_model(id: string): Promise<unknown>;
  kernel?: { disposed: { connect(slot: () => void): void; disconnect(slot: () => void): void } } | null;
}

export class Shield {
  readonly #manager: Manager;
  readonly #done = new Set<string>();

  constructor(manager: Manager) {
    this.#manager = manager;
  }

  /** Shield these models. One that is not there yet is tried again with the next call. */
  cover(ids: string[]): void {
    for (const id of ids) if (!this.#done.has(id)) void this.#coverOne(id);
  }

  async #coverOne(id: string): Promise<void> {
    try {
      const model = await this.#manager.get_model(id);
      if (!canBeSaved(model)) return;
      narrow(model);
      unthrottle(model);
      this.#done.add(id);
    } catch {
      // Not there yet, or not any more.
    }
  }
}

function canBeSaved(model: unknown): model is Saved {
  return isObject(model) && typeof model.get_state === "function";
}

function narrow(model: Saved): void {
  const getState = model.get_state.bind(model);
  Object.defineProperty(model, "get_state", {
    configurable: true,
    writable: true,
    value: (dropDefaults?: boolean) =>
      Object.fromEntries(Object.entries(getState(dropDefaults)).filter(([key]) => KEPT.includes(key))),
  });
}
