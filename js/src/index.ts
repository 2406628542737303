/** The anywidget entry: a view for each drawn output. */

import type { Render } from "@anywidget/types";
import { View } from "./view";

// Counters, as crypto.randomUUID is missing on plain http; the random part tells pages apart.
const page = crypto.getRandomValues(new Uint32Array(2)).join("-");
let views = 0;

const render: Render = ({ model, el, signal }) => {
  const closing = new AbortController();
  views += 1;
  new View(`${page}-${views}`, model, el, closing.signal);
  // Hosts before anywidget 0.11 give no signal, all of them call what render returns.
  const close = (): void => closing.abort();
  signal?.addEventListener("abort", close);
  return close;
};

export default { render };
