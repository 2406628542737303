/** How high the frame is: what the app reports, within bounds and without a storm of changes. */

import type { JsonObject } from "./guards";

export const START_HEIGHT = 150;
export const MAX_HEIGHT = 600;
const MIN_HEIGHT = 40;
const CHANGES_PER_SECOND = 20;

export class HeightRule {
  readonly #apply: (height: number) => void;
  #height = START_HEIGHT;
  #wanted = START_HEIGHT;
  #changes: number[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(apply: (height: number) => void) {
    this.#apply = apply;
  }

  /** Take a size report of the app, which sees a frame of this width. */
  report(size: JsonObject, frameWidth: number): void {
    const { width, height } = size;
    if (typeof height !== "number" || !Number.isFinite(height) || height < 0) return;
    // Some apps measure while Firefox lays them out at 10 px; such a height belongs to another width.
    if (typeof width === "number" && !(Math.abs(width - frameWidth) <= 1)) return;
    this.#wanted = Math.min(Math.max(Math.ceil(height), MIN_HEIGHT), MAX_HEIGHT);
    this.#change();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#wanted = this.#height;
  }

  #change(): void {
    if (Math.abs(this.#wanted - this.#height) < 1 || this.#timer !== undefined) return;
    const now = Date.now();
    this.#changes = this.#changes.filter((time) => now - time < 1000);
    const [oldest] = this.#changes;
    if (oldest !== undefined && this.#changes.length >= CHANGES_PER_SECOND) {
      // The last report of a storm counts, or the app would stay cut off.
      this.#timer = setTimeout(
        () => {
          this.#timer = undefined;
          this.#change();
        },
        1000 - (now - oldest),
      );
      return;
    }
    this.#changes.push(now);
    this.#height = this.#wanted;
    this.#apply(this.#height);
  }
}
