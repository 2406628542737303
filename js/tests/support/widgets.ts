/** Runs in the page of browser tests: real ipywidgets, kept by a manager that stands for JupyterLab's. */

import type { IClassicComm, WidgetModel } from "@jupyter-widgets/base";
import * as base from "@jupyter-widgets/base";
import { ManagerBase, serialize_state } from "@jupyter-widgets/base-manager";
import * as controls from "@jupyter-widgets/controls";

type State = Record<string, unknown>;

/** What went over the comm of a widget to the kernel. */
const synced: [id: string, data: unknown][] = [];

class Manager extends ManagerBase {
  protected override async loadClass(name: string, module: string): Promise<never> {
    const classes = (module === "@jupyter-widgets/base" ? base : controls) as unknown as Record<string, never>;
    const found = classes[name];
    if (!found) throw new Error(`no class ${name}`);
    return found;
  }

  protected override async _create_comm(): Promise<IClassicComm> {
    throw new Error("no kernel");
  }

  protected override async _get_comm_info(): Promise<object> {
    return {};
  }
}

const manager = new Manager();
const models = new Map<string, WidgetModel>();

/** A comm as far as models use it. */
function comm(id: string): IClassicComm {
  const send = (data: unknown): string => {
    synced.push([id, data]);
    return `message-${synced.length}`;
  };
  const nothing = (): void => {};
  return { comm_id: id, target_name: "jupyter.widget", send, on_msg: nothing, on_close: nothing } as never;
}

async function make(id: string, name: string, state: State): Promise<void> {
  const kind = { model_name: `${name}Model`, model_module: "@jupyter-widgets/controls", model_module_version: "2.0.0" };
  const views = { _view_name: `${name}View`, _view_module: kind.model_module, _view_module_version: "2.0.0" };
  const children = (state.children as string[] | undefined)?.map((child) => `IPY_MODEL_${child}`);
  const all = { ...views, ...state, ...(children && { children }) };
  models.set(id, await manager.new_model({ ...kind, model_id: id, comm: comm(id) }, all));
}

async function draw(id: string, into: HTMLElement): Promise<void> {
  const view = await manager.create_view(await manager.get_model(id));
  base.JupyterLuminoWidget.attach((view as base.DOMWidgetView).luminoWidget, into);
}

const widgets = {
  manager,
  make,
  draw,
  synced,
  /** The state that JupyterLab writes into the notebook, and the one without its `drop_defaults`. */
  saved: (dropDefaults: boolean): string =>
    JSON.stringify(serialize_state([...models.values()], { drop_defaults: dropDefaults })),
  update: (id: string, state: State): void => models.get(id)?.set_state(state),
};

export type Widgets = typeof widgets;

declare global {
  interface Window {
    widgets: Widgets;
  }
}

window.widgets = widgets;
