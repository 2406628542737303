/**
 * Lets every change of a form's widget leave at once.
 *
 * A widget model holds its next change back until the kernel has reported idle for the last one. While a cell awaits,
 * ipykernel 7.4 handles widget messages without any such report, so the second change would never leave.
 */

interface Counting {
  _pending_msgs: number;
}

/** Make the model believe that none of its changes is on its way. */
export function unthrottle(model: object): void {
  const counting = model as Counting;
  if (typeof counting._pending_msgs !== "number") return;
  Object.defineProperty(counting, "_pending_msgs", { configurable: true, get: () => 0, set: () => undefined });
}
