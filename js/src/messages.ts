/**
 * The contract between kernel and browser: every custom message, both ways.
 * Its twin is `mcp_elicit_widget/views/messages.py`; `tests/unit/test_contract.py` compares the two,
 * so keep one member a line and only the types that the Python side can name.
 */

/** Kernel to browser: what the head of a panel shows. Sent to a view when it says `ready` and after each change. */
export interface Show {
  kind: "show";
  /**
   * working: the call runs; app: the server's app asks; form: the native form asks; sent: the answer is on its way;
   * withdrawn: the server wants no answer any more.
   */
  state: "working" | "app" | "form" | "sent" | "withdrawn";
  server: string;
  tool: string;
  message: string;
  /** Why the form is shown instead of the app, or "". */
  note: string;
  /** A progress line, or "". */
  progress: string;
  /** What the app may reach beyond its frame, or "". */
  reach: string;
  fields: FieldMark[];
  /** Model ids of widgets that hold drafts: their state must not be saved into the notebook. */
  shield: string[];
}

/** One drawn field of the native form, found in the panel by its CSS class. */
export interface FieldMark {
  css: string;
  required: boolean;
  invalid: boolean;
}

/** Kernel to browser: start the app in the view named; every other view drops its frame. buffers[0] is the HTML (UTF-8). */
export interface Start {
  kind: "start";
  view: string;
  instance: number;
  /** The params of `elicitation/create`, exactly as the server sent them. */
  params: unknown;
  outerPolicy: string;
  innerPolicy: string;
  /** The declared domains that were granted, by list; told to the app. */
  granted: unknown;
  /** Extra members of hostContext, for example toolInfo. */
  context: unknown;
  hostVersion: string;
  /** Accessible name of the frame. */
  title: string;
  handshakeSeconds: number;
}

/** Kernel to browser: cancel the open request in the app and take the app down. */
export interface Stop {
  kind: "stop";
  reason: string;
}

/** Kernel to browser: move the focus to the first control of a field. */
export interface Focus {
  kind: "focus";
  css: string;
}

/** Browser to kernel: a view was drawn and wants to know what to show. */
export interface Ready {
  kind: "ready";
  view: string;
}

/** Browser to kernel: a view was removed, or its page is going away. */
export interface Gone {
  kind: "gone";
  view: string;
}

/** Browser to kernel: the app's result, unchecked. */
export interface Answer {
  kind: "answer";
  view: string;
  instance: number;
  result: unknown;
}

/** Browser to kernel: the app cannot be used; the reason is one of a closed set, the detail is for people. */
export interface Failed {
  kind: "failed";
  view: string;
  instance: number;
  reason: "no_handshake" | "refused" | "no_capability" | "error_reply" | "teardown" | "navigated" | "broken";
  detail: string;
}

/** Browser to kernel: a key that means something to the form. */
export interface Key {
  kind: "key";
  view: string;
  key: "escape" | "enter";
}

export type ToBrowser = Show | Start | Stop | Focus;
export type ToKernel = Ready | Gone | Answer | Failed | Key;
