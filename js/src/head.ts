/** The head of a panel: who asks, what, and why a form is shown. All of it is plain text. */

import type { Show } from "./messages";

// Controls but newline and tab, and the characters that turn the direction of text around.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The text with controls and bidirectional overrides made visible as U+FFFD. */
export function plain(text: string): string {
  return text.replace(UNSAFE, "\uFFFD");
}

/** What the note says once a question has ended. */
const ENDED: { [state in Show["state"]]?: string } = {
  sent: "Answer sent.",
  withdrawn: "The question was withdrawn.",
};

export class Head {
  readonly root = element("section", "mew-head");
  /** Where the app's frames go. */
  readonly frame = element("div", "mew-frame");
  readonly #who = element("div", "mew-who");
  readonly #message = element("div", "mew-message");
  readonly #note = element("div", "mew-note");
  readonly #reach = element("div", "mew-reach");
  readonly #progress = element("div", "mew-progress");
  readonly #line = element("div", "mew-line");
  readonly #live = element("div", "mew-live");

  constructor() {
    this.root.setAttribute("role", "group");
    this.#note.setAttribute("role", "status");
    this.#line.setAttribute("role", "status");
    this.#live.setAttribute("aria-live", "polite");
    this.root.append(
      this.#who,
      this.#message,
      this.#note,
      this.#progress,
      this.#line,
      this.#reach,
      this.frame,
      this.#live,
    );
  }

  show(message: Show): void {
    const server = plain(message.server);
    const tool = plain(message.tool);
    const name = document.createElement("strong");
    name.textContent = server;
    if (message.state === "working") {
      this.#who.replaceChildren(`${tool} on `, name, " is running…");
      this.root.setAttribute("aria-label", `${tool} on ${server}`);
    } else {
      this.#who.replaceChildren(name, ` asks · ${tool}`);
      this.root.setAttribute("aria-label", `${server} asks about ${tool}`);
    }
    this.root.dataset.state = message.state;
    setText(this.#message, plain(message.message));
    setText(this.#note, ENDED[message.state] ?? plain(message.note));
    setText(this.#progress, plain(message.progress));
    setText(this.#reach, plain(message.reach));
  }

  /** Show a line that this page says by itself, "" for none. */
  say(line: string): void {
    setText(this.#line, line);
  }

  /** Say something to screen readers only. */
  announce(text: string): void {
    setText(this.#live, text);
  }
}

function element(tag: string, css: string): HTMLElement {
  const made = document.createElement(tag);
  made.className = css;
  return made;
}

/** Screen readers announce a change; the same text again is none. Empty lines take no room (see card.css). */
function setText(target: HTMLElement, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}
