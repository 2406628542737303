/** The panel around the head: its keys, and whether the person works in it. Its fields are the form's business. */

/** Also classes: ipywidgets gives a view its classes after it has put it into the page. */
export const DRAWING = { childList: true, subtree: true, attributeFilter: ["class"] };

/** Call `found` with the panel, which may not be in the page yet while the head is drawn. */
export function findPanel(head: HTMLElement, found: (panel: HTMLElement) => void, signal: AbortSignal): void {
  const look = (): boolean => {
    const panel = head.isConnected ? head.closest<HTMLElement>(".mew-panel") : null;
    if (panel) found(panel);
    return panel !== null;
  };
  if (look()) return;
  const observer = new MutationObserver(() => {
    if (look()) observer.disconnect();
  });
  observer.observe(document.documentElement, DRAWING);
  signal.addEventListener("abort", () => observer.disconnect());
}

export class Panel {
  readonly root: HTMLElement;
  #hasFocus: boolean;

  constructor(root: HTMLElement, signal: AbortSignal) {
    this.root = root;
    this.#hasFocus = root.contains(document.activeElement);
    this.#keepShortcutsOut(signal);
    this.#followFocus(signal);
  }

  /** Whether what had the focus last is or was in the panel. A button that was taken away leaves no focus behind. */
  get hasFocus(): boolean {
    return this.#hasFocus;
  }

  /** Without this, an arrow key on a choice moves the notebook's selection, and two times D deletes the cell. */
  #keepShortcutsOut(signal: AbortSignal): void {
    // On the window, to be earlier than JupyterLab, which looks at the target itself first: its shortcuts of the
    // command mode name any element that has the focus. Shortcuts with a modifier, such as saving, stay alive.
    const decide = (event: KeyboardEvent): void => {
      if (!(event.target instanceof Element) || !this.root.contains(event.target)) return;
      const isPlain = !(event.ctrlKey || event.metaKey || event.altKey);
      event.target.toggleAttribute("data-lm-suppress-shortcuts", isPlain);
    };
    window.addEventListener("keydown", decide, { capture: true, signal });
  }

  #followFocus(signal: AbortSignal): void {
    const follow = ({ target }: Event): void => {
      this.#hasFocus = target instanceof Node && this.root.contains(target);
    };
    document.addEventListener("focusin", follow, { capture: true, signal });
    document.addEventListener("pointerdown", follow, { capture: true, signal });
    // The focus that goes into a frame shows in no event but this.
    const leave = (): void => {
      const { activeElement } = document;
      if (activeElement !== document.body) this.#hasFocus = this.root.contains(activeElement);
    };
    window.addEventListener("blur", leave, { signal });
  }
}
