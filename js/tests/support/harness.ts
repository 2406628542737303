/** Runs in the page of browser tests: the real entry, with a model that stands for anywidget's and its comm. */

import entry from "../../src/index";

type Listener = (content: unknown, buffers: DataView[]) => void;

class FakeModel {
  sent: Record<string, unknown>[] = [];
  isDead = false;
  readonly #listeners = new Map<string, Set<Listener>>();
  widget_manager: object = { get_model: async () => Promise.reject(new Error("widget model not found")) };

  on(event: string, listener: Listener): void {
    this.#listeners.set(event, this.#of(event).add(listener));
  }

  off(event: string, listener: Listener): void {
    this.#of(event).delete(listener);
  }

  get listening(): number {
    return [...this.#listeners.values()].reduce((sum, listeners) => sum + listeners.size, 0);
  }

  #of(event: string): Set<Listener> {
    return this.#listeners.get(event) ?? new Set();
  }

  send(content: Record<string, unknown>): void {
    if (this.isDead) throw new Error("Cannot send");
    // A comm takes JSON.
    this.sent.push(JSON.parse(JSON.stringify(content)));
  }

  deliver(content: unknown, html?: string): void {
    const buffers = html === undefined ? [] : [new DataView(new TextEncoder().encode(html).buffer)];
    for (const listener of [...this.#of("msg:custom")]) listener(JSON.parse(JSON.stringify(content)), buffers);
  }

  /** As the widget manager marks a model when its kernel restarts. */
  loseComm(): void {
    for (const listener of [...this.#of("comm_live_update")]) listener(undefined, []);
  }
}

interface View {
  panel: HTMLElement;
  model: FakeModel;
  close: () => void;
}

const views: View[] = [];

/** Draw a view as JupyterLab does: the head is drawn first, then put into the page, and classes come last. */
function open(model = new FakeModel()): number {
  const el = document.createElement("div");
  const closing = new AbortController();
  entry.render({ model, el, signal: closing.signal } as never);
  const panel = document.createElement("div");
  panel.append(el);
  document.body.append(panel);
  panel.className = "jupyter-widgets widget-container widget-box widget-vbox mew-panel";
  const close = (): void => {
    closing.abort();
    panel.remove();
  };
  return views.push({ panel, model, close }) - 1;
}

const harness = {
  views,
  open,
  openSecond: (first: number): number => open(harness.view(first).model),
  view(index: number): View {
    const view = views[index];
    if (!view) throw new Error(`no view ${index}`);
    return view;
  },
};

export type Harness = typeof harness;

declare global {
  interface Window {
    harness: Harness;
  }
}

window.harness = harness;
