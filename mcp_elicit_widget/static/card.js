// Built from js/src, do not edit.

// src/panel.ts
var DRAWING = { childList: true, subtree: true, attributeFilter: ["class"] };
function findPanel(head, found, signal) {
  const look = () => {
    const panel = head.isConnected ? head.closest(".mew-panel") : null;
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
var Panel = class {
  root;
  #hasFocus;
  constructor(root, signal) {
    this.root = root;
    this.#hasFocus = root.contains(document.activeElement);
    this.#keepShortcutsOut(signal);
    this.#followFocus(signal);
  }
  /** Whether what had the focus last is or was in the panel. A button that was taken away leaves no focus behind. */
  get hasFocus() {
    return this.#hasFocus;
  }
  /** Without this, an arrow key on a choice moves the notebook's selection, and two times D deletes the cell. */
  #keepShortcutsOut(signal) {
    const decide = (event) => {
      if (!(event.target instanceof Element) || !this.root.contains(event.target)) return;
      const isPlain = !(event.ctrlKey || event.metaKey || event.altKey);
      event.target.toggleAttribute("data-lm-suppress-shortcuts", isPlain);
    };
    window.addEventListener("keydown", decide, { capture: true, signal });
  }
  #followFocus(signal) {
    const follow = ({ target }) => {
      this.#hasFocus = target instanceof Node && this.root.contains(target);
    };
    document.addEventListener("focusin", follow, { capture: true, signal });
    document.addEventListener("pointerdown", follow, { capture: true, signal });
    const leave = () => {
      const { activeElement } = document;
      if (activeElement !== document.body) this.#hasFocus = this.root.contains(activeElement);
    };
    window.addEventListener("blur", leave, { signal });
  }
};

// src/form.ts
var CONTROLS = "input, textarea, select";
var counter = 0;
var FormMarks = class {
  #panel;
  #fields = [];
  /** The field to move the focus to when it is drawn. */
  #wanted = null;
  #followsPerson = false;
  constructor(panel, onKey, signal) {
    this.#panel = panel;
    const observer = new MutationObserver(() => this.#update());
    observer.observe(panel.root, DRAWING);
    signal.addEventListener("abort", () => observer.disconnect());
    panel.root.addEventListener("keydown", (event) => this.#onKey(event, onKey), { capture: true, signal });
  }
  show(fields) {
    this.#fields = fields;
    if (fields.length === 0) this.#wanted = null;
    this.#update();
  }
  /** Move the focus to the first control of a field, now or when it is drawn. */
  focus(css) {
    this.#wanted = css;
    this.#followsPerson = false;
    this.#moveFocus();
  }
  /** Move the focus to the first field, but only while the person is in this panel: nobody is called away from a cell. */
  focusFirst() {
    this.#wanted = this.#fields[0]?.css ?? null;
    this.#followsPerson = true;
    this.#moveFocus();
  }
  #update() {
    for (const mark of this.#fields) {
      const field = this.#field(mark.css);
      if (field) markField(field, mark);
    }
    this.#moveFocus();
  }
  #moveFocus() {
    if (this.#followsPerson && !this.#panel.hasFocus) this.#wanted = null;
    if (this.#wanted === null) return;
    const field = this.#field(this.#wanted);
    const control = field && controlsOf(field)[0];
    if (!control) return;
    this.#wanted = null;
    control.focus();
  }
  #field(css) {
    return this.#panel.root.querySelector(`.${CSS.escape(css)}`);
  }
  #onKey(event, onKey) {
    const { target } = event;
    if (event.isComposing || event.defaultPrevented || !(target instanceof HTMLElement)) return;
    if (event.key === "Escape" && !closesByItself(target)) {
      event.preventDefault();
      event.stopPropagation();
      onKey("escape");
    } else if (event.key === "Enter" && this.#isOnlyTextBox(target)) {
      event.preventDefault();
      target.blur();
      onKey("enter");
    }
  }
  #isOnlyTextBox(target) {
    const [only, ...others] = this.#fields;
    if (!only || others.length > 0 || !isTextBox(target)) return false;
    return this.#field(only.css)?.contains(target) ?? false;
  }
};
function closesByItself(target) {
  return target instanceof HTMLSelectElement && !target.multiple;
}
function isTextBox(target) {
  return target instanceof HTMLInputElement && !isChoice(target);
}
function isChoice(control) {
  return control instanceof HTMLInputElement && ["radio", "checkbox"].includes(control.type);
}
function controlsOf(field) {
  return [...field.querySelectorAll(CONTROLS)];
}
function markField(field, mark) {
  const label = idOf(field.querySelector(".mew-label"));
  const help = idOf(field.querySelector(".mew-help"));
  const error = mark.invalid ? idOf(field.querySelector(".mew-error")) : null;
  const described = [help, error].filter((id) => id !== null).join(" ") || null;
  const controls = controlsOf(field);
  const isGroup = controls.length > 1 || controls.some(isChoice);
  for (const control of controls) {
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
  setAttribute(field, "aria-required", isRadio ? String(mark.required) : null);
  setAttribute(field, "aria-invalid", isRadio ? String(mark.invalid) : null);
}
function setAttribute(element2, name, value) {
  if (value === null) element2.removeAttribute(name);
  else element2.setAttribute(name, value);
}
function idOf(element2) {
  if (!element2) return null;
  if (!element2.id) {
    counter += 1;
    element2.id = `mew-${counter}`;
  }
  return element2.id;
}

// src/guards.ts
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
function isText(value) {
  return typeof value === "string";
}
function isListOf(value, guard) {
  return Array.isArray(value) && value.every(guard);
}
function isFieldMark(value) {
  return isObject(value) && isText(value.css) && typeof value.required === "boolean" && typeof value.invalid === "boolean";
}
function isShow(value) {
  const texts = [value.server, value.tool, value.message, value.note, value.progress, value.reach];
  return ["working", "app", "form", "sent", "withdrawn"].includes(String(value.state)) && texts.every(isText) && isListOf(value.fields, isFieldMark) && isListOf(value.shield, isText);
}
function isStart(value) {
  const texts = [value.view, value.outerPolicy, value.innerPolicy, value.hostVersion, value.title];
  return texts.every(isText) && Number.isFinite(value.instance) && Number.isFinite(value.handshakeSeconds);
}
function parseToBrowser(value) {
  if (!isObject(value)) return null;
  switch (value.kind) {
    case "show":
      return isShow(value) ? value : null;
    case "start":
      return isStart(value) ? value : null;
    case "stop":
      return isText(value.reason) ? value : null;
    case "focus":
      return isText(value.css) ? value : null;
    default:
      return null;
  }
}

// src/head.ts
var UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
function plain(text) {
  return text.replace(UNSAFE, "�");
}
var ENDED = {
  sent: "Answer sent.",
  withdrawn: "The question was withdrawn."
};
var Head = class {
  root = element("section", "mew-head");
  /** Where the app's frames go. */
  frame = element("div", "mew-frame");
  #who = element("div", "mew-who");
  #message = element("div", "mew-message");
  #note = element("div", "mew-note");
  #reach = element("div", "mew-reach");
  #progress = element("div", "mew-progress");
  #line = element("div", "mew-line");
  #live = element("div", "mew-live");
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
      this.#live
    );
  }
  show(message) {
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
  say(line) {
    setText(this.#line, line);
  }
  /** Say something to screen readers only. */
  announce(text) {
    setText(this.#live, text);
  }
};
function element(tag, css) {
  const made = document.createElement(tag);
  made.className = css;
  return made;
}
function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

// src/peer.ts
var INVALID_PARAMS = -32602;
var METHOD_NOT_FOUND = -32601;
var INTERNAL_ERROR = -32603;
var RpcError = class extends Error {
  code;
  constructor(code, message) {
    super(message);
    this.code = code;
  }
};
var Peer = class {
  #post;
  #handlers;
  #pending = /* @__PURE__ */ new Map();
  // Not 0: SDK apps of the 1.x line ignore the cancellation of a request with that id (ERR-02).
  #nextId = 1;
  constructor(post, handlers) {
    this.#post = post;
    this.#handlers = handlers;
  }
  /** Send a request; `onReply` is called at most once. Returns the id. */
  request(method, params, onReply) {
    const id = this.#nextId++;
    this.#pending.set(id, onReply);
    this.#post({ jsonrpc: "2.0", id, method, params });
    return id;
  }
  notify(method, params) {
    this.#post({ jsonrpc: "2.0", method, params });
  }
  /** Cancel an open request: its reply is ignored from now on. */
  cancel(id, reason) {
    if (this.#pending.delete(id)) this.notify("notifications/cancelled", { requestId: id, reason });
  }
  /** Take anything the other side sent. What is not JSON-RPC 2.0 is ignored, as are batches. */
  receive(message) {
    if (!isObject(message) || message.jsonrpc !== "2.0") return;
    if (message.method === void 0) this.#onResponse(message);
    else if (typeof message.method !== "string") return;
    else if (!("id" in message)) this.#handlers.notifications.get(message.method)?.(message.params);
    else if (isId(message.id)) this.#post(this.#respond(message.id, message.method, message.params));
  }
  #onResponse(message) {
    const { id } = message;
    if (!isId(id) || "result" in message === "error" in message) return;
    const onReply = this.#pending.get(id);
    this.#pending.delete(id);
    onReply?.("error" in message ? { error: message.error } : { result: message.result });
  }
  #respond(id, method, params) {
    const handler = this.#handlers.requests.get(method);
    if (!handler) return failure(id, METHOD_NOT_FOUND, "Method not found");
    try {
      return { jsonrpc: "2.0", id, result: handler(params) };
    } catch (error) {
      if (error instanceof RpcError) return failure(id, error.code, error.message);
      return failure(id, INTERNAL_ERROR, "Internal error");
    }
  }
};
function isId(value) {
  return typeof value === "string" || Number.isFinite(value);
}
function failure(id, code, message) {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

// src/app_host.ts
var PROTOCOL_VERSION = "2026-01-26";
var TEARDOWN_MS = 250;
var BROKEN_MS = 1e3;
var DETAIL_LENGTH = 200;
var AppHost = class {
  #options;
  #peer;
  #appCapabilities = null;
  #hasIntroduced = false;
  #isInitialized = false;
  #isSettled = false;
  #openRequest = null;
  #handshakeTimer;
  #brokenTimer;
  #lastHint = "";
  #boots = 0;
  #keptChanges = {};
  #closed = null;
  constructor(options) {
    this.#options = options;
    this.#peer = new Peer(options.post, {
      requests: /* @__PURE__ */ new Map([
        ["ui/initialize", (params) => this.#introduce(params)],
        ["ui/request-display-mode", () => ({ mode: "inline" })],
        ["ping", () => ({})]
      ]),
      notifications: /* @__PURE__ */ new Map([
        ["ui/notifications/initialized", () => this.#onInitialized()],
        ["ui/notifications/size-changed", (params) => this.#onSize(params)],
        ["ui/notifications/request-teardown", () => this.#fail("teardown", "")]
      ])
    });
    this.#awaitHandshake();
  }
  receive(message) {
    this.#peer.receive(message);
  }
  /** The app left its page, so it is gone. */
  navigated() {
    this.#fail("navigated", "");
  }
  hint(hint) {
    if (hint.kind === "boot") {
      this.#boots += 1;
      if (this.#boots > 1) this.navigated();
      return;
    }
    this.#lastHint = cut(hint.text);
    if (hint.kind !== "error" && hint.kind !== "rejection") return;
    if (this.#hasIntroduced || this.#isSettled || this.#brokenTimer !== void 0) return;
    const text = this.#lastHint;
    this.#brokenTimer = setTimeout(() => this.#fail("broken", text), BROKEN_MS);
  }
  /** Tell the app what changed around it. Before the handshake is over, changes are kept (BRG-03). */
  contextChanged(changes) {
    if (this.#closed || !this.#hasIntroduced || Object.keys(changes).length === 0) return;
    if (this.#isInitialized) this.#peer.notify("ui/notifications/host-context-changed", changes);
    else this.#keptChanges = { ...this.#keptChanges, ...changes };
  }
  /** End this instance: cancel what is open and let the app close itself. Resolves when the frames may go. */
  close(reason) {
    this.#closed ??= this.#close(reason);
    return this.#closed;
  }
  async #close(reason) {
    this.#settle();
    if (this.#openRequest !== null) this.#peer.cancel(this.#openRequest, reason);
    if (!this.#isInitialized) return;
    await new Promise((done) => {
      const timer = setTimeout(done, TEARDOWN_MS);
      this.#peer.request("ui/resource-teardown", { reason }, () => {
        clearTimeout(timer);
        done();
      });
    });
  }
  #awaitHandshake() {
    this.#handshakeTimer = setTimeout(() => {
      if (this.#options.isInPage()) this.#fail("no_handshake", this.#lastHint);
      else this.#awaitHandshake();
    }, this.#options.handshakeSeconds * 1e3);
  }
  #introduce(params) {
    this.#hasIntroduced = true;
    clearTimeout(this.#brokenTimer);
    const missing = missingMember(params);
    if (missing !== null) {
      this.#fail("refused", missing);
      throw new RpcError(INVALID_PARAMS, `Invalid params: ${missing}`);
    }
    this.#appCapabilities = params.appCapabilities;
    this.#keptChanges = {};
    return {
      // The only version we speak, whatever was asked for (BRG-02).
      protocolVersion: PROTOCOL_VERSION,
      hostInfo: { name: "mcp-elicit-widget", version: this.#options.hostVersion },
      hostCapabilities: { elicitation: {}, sandbox: { csp: this.#options.granted, permissions: {} } },
      hostContext: this.#options.context()
    };
  }
  #onInitialized() {
    if (!this.#hasIntroduced || this.#isInitialized || this.#closed) return;
    this.#isInitialized = true;
    if (this.#isSettled) return;
    clearTimeout(this.#handshakeTimer);
    const capabilities = this.#appCapabilities;
    if (!isObject(capabilities) || !isObject(capabilities.elicitation)) {
      this.#fail("no_capability", "");
      return;
    }
    this.#openRequest = this.#peer.request("elicitation/create", this.#options.params, (reply) => this.#onReply(reply));
    this.contextChanged(this.#keptChanges);
    this.#options.onStarted();
  }
  #onReply(reply) {
    this.#openRequest = null;
    if (this.#isSettled) return;
    if ("error" in reply) {
      this.#fail("error_reply", describeError(reply.error));
      return;
    }
    const result = asJson(reply.result);
    if (result === void 0) {
      this.#fail("error_reply", "its answer is not JSON");
      return;
    }
    this.#settle();
    this.#options.onAnswer(result);
  }
  #onSize(params) {
    if (isObject(params) && !this.#isSettled) this.#options.onSize(params);
  }
  #fail(reason, detail) {
    if (this.#isSettled) return;
    this.#settle();
    this.#options.onFailure(reason, detail);
  }
  #settle() {
    this.#isSettled = true;
    clearTimeout(this.#handshakeTimer);
    clearTimeout(this.#brokenTimer);
  }
};
function missingMember(params) {
  if (!isObject(params)) return "params";
  if (!isObject(params.appInfo)) return "appInfo";
  if (typeof params.appInfo.name !== "string") return "appInfo.name";
  if (typeof params.appInfo.version !== "string") return "appInfo.version";
  if (!isObject(params.appCapabilities)) return "appCapabilities";
  if (typeof params.protocolVersion !== "string") return "protocolVersion";
  return null;
}
function describeError(error) {
  if (!isObject(error)) return "";
  const code = typeof error.code === "number" ? String(error.code) : "";
  const message = typeof error.message === "string" ? cut(error.message) : "";
  return `${code} ${message}`.trim();
}
function asJson(value) {
  try {
    const text = JSON.stringify(value);
    return text === void 0 ? void 0 : JSON.parse(text);
  } catch {
    return void 0;
  }
}
function cut(text) {
  return text.slice(0, DETAIL_LENGTH);
}

// src/height.ts
var START_HEIGHT = 150;
var MAX_HEIGHT = 600;
var MIN_HEIGHT = 40;
var CHANGES_PER_SECOND = 20;
var HeightRule = class {
  #apply;
  #height = START_HEIGHT;
  #wanted = START_HEIGHT;
  #changes = [];
  #timer;
  constructor(apply) {
    this.#apply = apply;
  }
  /** Take a size report of the app, which sees a frame of this width. */
  report(size, frameWidth) {
    const { width, height } = size;
    if (typeof height !== "number" || !Number.isFinite(height) || height < 0) return;
    if (typeof width === "number" && !(Math.abs(width - frameWidth) <= 1)) return;
    this.#wanted = Math.min(Math.max(Math.ceil(height), MIN_HEIGHT), MAX_HEIGHT);
    this.#change();
  }
  stop() {
    clearTimeout(this.#timer);
    this.#timer = void 0;
    this.#wanted = this.#height;
  }
  #change() {
    if (Math.abs(this.#wanted - this.#height) < 1 || this.#timer !== void 0) return;
    const now = Date.now();
    this.#changes = this.#changes.filter((time) => now - time < 1e3);
    const [oldest] = this.#changes;
    if (oldest !== void 0 && this.#changes.length >= CHANGES_PER_SECOND) {
      this.#timer = setTimeout(
        () => {
          this.#timer = void 0;
          this.#change();
        },
        1e3 - (now - oldest)
      );
      return;
    }
    this.#changes.push(now);
    this.#height = this.#wanted;
    this.#apply(this.#height);
  }
};

// src/prelude.ts
function prelude() {
  const host = window.parent;
  const post = host.postMessage.bind(host);
  const told = /* @__PURE__ */ new Set();
  const hint = (kind, value) => {
    const text = String(value).slice(0, 300);
    const key = `${kind} ${text}`;
    if (told.has(key) || told.size >= 50) return;
    told.add(key);
    post({ mewHint: { kind, text } }, "*");
  };
  const reportErrors = () => {
    window.addEventListener(
      "error",
      (event) => {
        if (event instanceof ErrorEvent) hint("error", event.message);
        else hint("resource", event.target?.tagName);
      },
      true
    );
    window.addEventListener("unhandledrejection", ({ reason }) => hint("rejection", reason?.message ?? reason));
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
      if (blockedURI !== "eval" && blockedURI !== "wasm-eval") hint("csp", `${effectiveDirective} ${blockedURI}`);
    });
  };
  const makeOriginUsable = () => {
    const descriptor = Object.getOwnPropertyDescriptor(MessageEvent.prototype, "origin");
    const getOrigin = descriptor?.get;
    if (!descriptor || !getOrigin) return;
    Object.defineProperty(MessageEvent.prototype, "origin", {
      ...descriptor,
      get() {
        const origin = getOrigin.call(this);
        return origin === "null" && this.source === host ? "*" : origin;
      }
    });
  };
  const makeStorage = () => {
    const items = /* @__PURE__ */ new Map();
    const methods = {
      getItem: (key) => items.get(String(key)) ?? null,
      setItem: (key, value) => void items.set(String(key), String(value)),
      removeItem: (key) => void items.delete(String(key)),
      clear: () => items.clear(),
      key: (index) => [...items.keys()][Number(index)] ?? null
    };
    const item = (key) => typeof key === "string" ? items.get(key) : void 0;
    return new Proxy(Object.create(Storage.prototype), {
      get(_, key) {
        if (key === "length") return items.size;
        if (typeof key === "string" && Object.hasOwn(methods, key)) return methods[key];
        return item(key) ?? Reflect.get(Object.prototype, key);
      },
      set: (_, key, value) => Boolean(items.set(String(key), String(value))),
      has: (_, key) => item(key) !== void 0 || key in methods || key === "length",
      deleteProperty(_, key) {
        items.delete(String(key));
        return true;
      },
      ownKeys: () => [...items.keys()],
      getOwnPropertyDescriptor(_, key) {
        const value = item(key);
        return value === void 0 ? void 0 : { value, writable: true, enumerable: true, configurable: true };
      }
    });
  };
  const replaceStorage = (name) => {
    try {
      void window[name];
    } catch {
      Object.defineProperty(window, name, { value: makeStorage(), configurable: true, enumerable: true });
    }
  };
  reportErrors();
  makeOriginUsable();
  replaceStorage("localStorage");
  replaceStorage("sessionStorage");
  hint("boot", "");
}

// src/relay.ts
function relay() {
  const host = window.parent;
  let app = null;
  const tellHost = (message) => host.postMessage(message, "*");
  const isPrivate = (message) => {
    const method = message?.method;
    return typeof method === "string" && method.startsWith("ui/notifications/sandbox-");
  };
  const load = (html, title) => {
    app = document.createElement("iframe");
    app.setAttribute("sandbox", "allow-scripts allow-forms");
    app.setAttribute("referrerpolicy", "no-referrer");
    app.title = title;
    app.srcdoc = html;
    document.body.append(app);
  };
  const onHostMessage = (message) => {
    if (message.mew === "load" && app === null) load(message.html, message.title);
    else if (message.mew === "rpc" && !isPrivate(message.message))
      app?.contentWindow?.postMessage(message.message, "*");
  };
  const onAppMessage = (message) => {
    if (isPrivate(message)) return;
    const hint = message?.mewHint;
    tellHost(hint === void 0 ? { mew: "rpc", message } : { mew: "hint", message: hint });
  };
  window.addEventListener("message", (event) => {
    if (event.source === host) onHostMessage(event.data);
    else if (app?.contentWindow && event.source === app.contentWindow) onAppMessage(event.data);
  });
  document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => {
    if (effectiveDirective === "frame-src") tellHost({ mew: "blocked" });
  });
  tellHost({ mew: "ready" });
}

// src/frame.ts
var SandboxFrame = class {
  element;
  #options;
  #events;
  #listening = new AbortController();
  #isLoaded = false;
  constructor(parent, options, events) {
    this.#options = options;
    this.#events = events;
    this.element = document.createElement("iframe");
    this.element.setAttribute("sandbox", "allow-scripts allow-forms");
    this.element.setAttribute("referrerpolicy", "no-referrer");
    this.element.title = options.title;
    this.element.style.height = `${START_HEIGHT}px`;
    window.addEventListener("message", (event) => this.#onMessage(event), { signal: this.#listening.signal });
    this.element.srcdoc = outerPage(options.outerPolicy);
    parent.append(this.element);
  }
  post(message) {
    this.#tellRelay({ mew: "rpc", message });
  }
  remove() {
    this.#listening.abort();
    this.element.remove();
  }
  #tellRelay(message) {
    this.element.contentWindow?.postMessage(message, "*");
  }
  #onMessage(event) {
    if (event.source === null || event.source !== this.element.contentWindow) return;
    const data = event.data;
    if (!isObject(data)) return;
    if (data.mew === "ready") this.#onReady();
    else if (data.mew === "rpc") this.#events.onMessage(data.message);
    else if (data.mew === "hint" && isHint(data.message)) this.#events.onHint(data.message);
    else if (data.mew === "blocked") this.#events.onBlocked();
  }
  #onReady() {
    if (this.#isLoaded) {
      this.#events.onReload();
      return;
    }
    this.#isLoaded = true;
    const { html, innerPolicy, title } = this.#options;
    this.#tellRelay({ mew: "load", html: innerPage(innerPolicy, html), title });
  }
};
var HINTS = ["boot", "error", "rejection", "resource", "csp"];
function isHint(value) {
  return isObject(value) && HINTS.includes(String(value.kind)) && typeof value.text === "string";
}
function outerPage(policy) {
  const style = "html,body{margin:0;height:100%;background:#fff}iframe{display:block;border:0;width:100%;height:100%}";
  const head = `<meta charset="utf-8">${policyTag(policy)}<style>${style}</style>`;
  return `<!doctype html><html><head>${head}</head><body>${scriptTag(relay)}</body></html>`;
}
function innerPage(policy, html) {
  return `<!doctype html>${policyTag(policy)}<base href="about:srcdoc">${scriptTag(prelude)}${html}`;
}
function policyTag(policy) {
  return `<meta http-equiv="Content-Security-Policy" content="${escapeAttribute(policy)}">`;
}
function scriptTag(script) {
  return `<script>(${script.toString()})();<\/script>`;
}
function escapeAttribute(text) {
  return text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}

// src/theme.ts
var VARIABLES = {
  "--color-background-primary": ["--jp-layout-color1", "#ffffff", "#111111"],
  "--color-background-secondary": ["--jp-layout-color2", "#eeeeee", "#303030"],
  "--color-background-tertiary": ["--jp-layout-color3", "#bdbdbd", "#424242"],
  "--color-background-inverse": ["--jp-inverse-layout-color1", "#212121", "#ffffff"],
  "--color-background-info": ["--jp-info-color3", "#b2ebf2", "#006064"],
  "--color-background-danger": ["--jp-error-color3", "#ffcdd2", "#b71c1c"],
  "--color-background-success": ["--jp-success-color3", "#c8e6c9", "#1b5e20"],
  "--color-background-warning": ["--jp-warn-color3", "#ffe0b2", "#e65100"],
  "--color-text-primary": ["--jp-ui-font-color1", "#212121", "#ffffff"],
  "--color-text-secondary": ["--jp-ui-font-color2", "#757575", "#bdbdbd"],
  "--color-text-tertiary": ["--jp-ui-font-color3", "#9e9e9e", "#757575"],
  "--color-text-inverse": ["--jp-ui-inverse-font-color1", "#ffffff", "#212121"],
  "--color-text-info": ["--jp-info-color0", "#006064", "#80deea"],
  "--color-text-danger": ["--jp-error-color0", "#b71c1c", "#ef9a9a"],
  "--color-text-success": ["--jp-success-color0", "#1b5e20", "#a5d6a7"],
  "--color-text-warning": ["--jp-warn-color0", "#e65100", "#ffcc80"],
  "--color-border-primary": ["--jp-border-color1", "#bdbdbd", "#616161"],
  "--color-border-secondary": ["--jp-border-color2", "#e0e0e0", "#424242"],
  "--color-border-tertiary": ["--jp-border-color3", "#eeeeee", "#212121"],
  "--color-border-danger": ["--jp-error-color1", "#d32f2f", "#f44336"],
  "--color-ring-primary": ["--jp-brand-color1", "#1976d2", "#2196f3"],
  "--color-ring-danger": ["--jp-error-color1", "#d32f2f", "#f44336"],
  "--font-sans": ["--jp-ui-font-family", "system-ui, sans-serif", "system-ui, sans-serif"],
  "--font-mono": ["--jp-code-font-family", "monospace", "monospace"],
  "--font-text-sm-size": ["--jp-ui-font-size1", "13px", "13px"],
  "--font-text-md-size": ["--jp-content-font-size1", "14px", "14px"],
  "--border-radius-sm": ["--jp-border-radius", "2px", "2px"]
};
function hostContext(frame, extra) {
  const theme = isLight() ? "light" : "dark";
  const context = {
    ...extra,
    theme,
    styles: { variables: styleVariables(frame, theme) },
    displayMode: "inline",
    availableDisplayModes: ["inline"],
    containerDimensions: { ...widthOf(frame), maxHeight: MAX_HEIGHT },
    locale: (document.documentElement.lang || navigator.language).replaceAll("_", "-"),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    platform: "web"
  };
  return context;
}
function watchContext(frame, read, onChange, signal) {
  let known = read();
  const look = () => {
    const next = read();
    const changes = Object.entries(next).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(known[key]));
    known = next;
    if (changes.length > 0) onChange(Object.fromEntries(changes));
  };
  const themes = new MutationObserver(look);
  themes.observe(document.body, { attributeFilter: ["data-jp-theme-light", "data-jp-theme-name"] });
  const sizes = new ResizeObserver(look);
  sizes.observe(frame);
  colorScheme().addEventListener("change", look, { signal });
  signal.addEventListener("abort", () => {
    themes.disconnect();
    sizes.disconnect();
  });
}
function colorScheme() {
  return window.matchMedia("(prefers-color-scheme: dark)");
}
function isLight() {
  const { jpThemeLight } = document.body.dataset;
  return jpThemeLight === void 0 ? !colorScheme().matches : jpThemeLight !== "false";
}
function widthOf(frame) {
  return frame.clientWidth > 0 ? { width: frame.clientWidth } : {};
}
function styleVariables(element2, theme) {
  const style = getComputedStyle(element2);
  const entries = Object.entries(VARIABLES).map(([key, [jupyter, light, dark]]) => {
    const value = style.getPropertyValue(jupyter).trim();
    return [key, value || (theme === "light" ? light : dark)];
  });
  return Object.fromEntries(entries);
}

// src/session.ts
var Session = class {
  #frame;
  #host;
  #height;
  #running = new AbortController();
  constructor(box, start, html, events) {
    const { innerPolicy, outerPolicy, title } = start;
    this.#frame = new SandboxFrame(
      box,
      { html, innerPolicy, outerPolicy, title },
      {
        onMessage: (message) => this.#host.receive(message),
        onHint: (hint) => this.#host.hint(hint),
        onBlocked: () => this.#host.navigated(),
        onReload: events.onReload
      }
    );
    const { element: element2 } = this.#frame;
    this.#height = new HeightRule((height) => {
      element2.style.height = `${height}px`;
    });
    const extra = isObject(start.context) ? start.context : {};
    const context = () => hostContext(element2, extra);
    this.#host = new AppHost({
      params: start.params,
      hostVersion: start.hostVersion,
      granted: start.granted,
      handshakeSeconds: start.handshakeSeconds,
      context,
      isInPage: () => element2.isConnected,
      post: (message) => this.#frame.post(message),
      onStarted: events.onStarted,
      onAnswer: events.onAnswer,
      onFailure: events.onFailure,
      onSize: (report) => this.#height.report(report, element2.clientWidth)
    });
    watchContext(element2, context, (changes) => this.#host.contextChanged(changes), this.#running.signal);
  }
  /** Let the app close itself, out of sight, then take it away. */
  async close(reason) {
    this.#height.stop();
    this.#frame.element.hidden = true;
    await this.#host.close(reason);
    this.drop();
  }
  /** Take the app away at once: its frames are gone or going, so it cannot be told. */
  drop() {
    this.#running.abort();
    this.#height.stop();
    void this.#host.close("the view is gone");
    this.#frame.remove();
  }
};

// src/throttle.ts
function unthrottle(model) {
  const counting = model;
  if (typeof counting._pending_msgs !== "number") return;
  Object.defineProperty(counting, "_pending_msgs", { configurable: true, get: () => 0, set: () => void 0 });
}

// src/shield.ts
var KEPT = [
  "_model_module",
  "_model_module_version",
  "_model_name",
  "_view_module",
  "_view_module_version",
  "_view_name"
];
var Shield = class {
  #manager;
  #done = /* @__PURE__ */ new Set();
  constructor(manager) {
    this.#manager = manager;
  }
  /** Shield these models. One that is not there yet is tried again with the next call. */
  cover(ids) {
    for (const id of ids) if (!this.#done.has(id)) void this.#coverOne(id);
  }
  async #coverOne(id) {
    try {
      const model = await this.#manager.get_model(id);
      if (!canBeSaved(model)) return;
      narrow(model);
      unthrottle(model);
      this.#done.add(id);
    } catch {
    }
  }
};
function canBeSaved(model) {
  return isObject(model) && typeof model.get_state === "function";
}
function narrow(model) {
  const getState = model.get_state.bind(model);
  Object.defineProperty(model, "get_state", {
    configurable: true,
    writable: true,
    value: (dropDefaults) => Object.fromEntries(Object.entries(getState(dropDefaults)).filter(([key]) => KEPT.includes(key)))
  });
}

// src/view.ts
var NO_KERNEL = "The kernel that asked is gone.";
var SILENCE = "The kernel that asked does not answer.";
var ELSEWHERE = "This question is open in another view of this output.";
var SILENCE_MS = 3e3;
var View = class {
  #id;
  #model;
  #head = new Head();
  #shield;
  #panel = null;
  #form = null;
  #session = null;
  #show = null;
  #isGone = false;
  constructor(id, model, el, signal) {
    this.#id = id;
    this.#model = model;
    this.#shield = new Shield(model.widget_manager);
    const listener = (content, buffers) => this.#receive(content, buffers);
    const lost = () => this.#loseKernel();
    model.on("msg:custom", listener);
    model.on("comm_live_update", lost);
    const kernel = model.widget_manager.kernel;
    kernel?.disposed.connect(lost);
    signal.addEventListener("abort", () => {
      model.off("msg:custom", listener);
      model.off("comm_live_update", lost);
      kernel?.disposed.disconnect(lost);
      this.#leave();
    });
    window.addEventListener("pagehide", () => this.#leave(), { signal });
    el.append(this.#head.root);
    findPanel(el, (panel) => this.#onPanel(panel, signal), signal);
    this.#watchSilence(signal);
    this.#send({ kind: "ready", view: this.#id });
  }
  #receive(content, buffers) {
    const message = parseToBrowser(content);
    if (message?.kind === "show") this.#onShow(message);
    else if (message?.kind === "start") this.#onStart(message, buffers[0]);
    else if (message?.kind === "stop") this.#endSession(message.reason);
    else if (message?.kind === "focus") this.#onFocus(message);
  }
  #onShow(message) {
    const before = this.#show?.state;
    this.#show = message;
    this.#head.show(message);
    this.#shield.cover(message.shield);
    this.#form?.show(message.fields);
    if (before === void 0 || message.state !== "app") this.#head.say("");
    if (message.state === before) return;
    if (message.state === "form") {
      this.#head.announce("The built-in form is shown.");
      this.#form?.focusFirst();
    } else if (message.state === "sent") this.#head.announce("Answer sent.");
  }
  #onStart(start, html) {
    this.#endSession("another instance takes over");
    if (start.view !== this.#id) {
      this.#head.say(ELSEWHERE);
      return;
    }
    this.#head.say("");
    const { instance } = start;
    const about = { view: this.#id, instance };
    if (!html) {
      this.#send({ kind: "failed", ...about, reason: "broken", detail: "its page did not arrive" });
      return;
    }
    const session = new Session(this.#head.frame, start, new TextDecoder().decode(html), {
      onStarted: () => this.#head.announce("The app is ready."),
      onAnswer: (result) => this.#send({ kind: "answer", ...about, result }),
      onFailure: (reason, detail) => this.#send({ kind: "failed", ...about, reason, detail }),
      onReload: () => this.#onReload(session)
    });
    this.#session = session;
  }
  /** Hiding and showing an output loads its frames again without any word to the view. */
  #onReload(session) {
    if (this.#session !== session) return;
    this.#dropSession();
    this.#send({ kind: "ready", view: this.#id });
  }
  #onFocus(message) {
    this.#form?.focus(message.css);
  }
  #onPanel(root, signal) {
    this.#panel = new Panel(root, signal);
    this.#form = new FormMarks(this.#panel, (key) => this.#onKey(key), signal);
    if (this.#show) this.#form.show(this.#show.fields);
  }
  #onKey(key) {
    const state = this.#show?.state;
    if (state === "form" || state === "app" && key === "escape") this.#send({ kind: "key", view: this.#id, key });
  }
  #endSession(reason) {
    const session = this.#session;
    this.#session = null;
    void session?.close(reason);
  }
  #dropSession() {
    this.#session?.drop();
    this.#session = null;
  }
  /** The view or its page goes away. */
  #leave() {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#dropSession();
    this.#send({ kind: "gone", view: this.#id });
  }
  #send(message) {
    try {
      this.#model.send(message);
    } catch {
      this.#loseKernel();
    }
  }
  #loseKernel() {
    this.#dropSession();
    this.#head.say(NO_KERNEL);
  }
  /** A widget that was restored from a saved notebook has nobody to talk to, and does not know. */
  #watchSilence(signal) {
    const timer = setTimeout(() => {
      if (!this.#show) this.#head.say(SILENCE);
    }, SILENCE_MS);
    signal.addEventListener("abort", () => clearTimeout(timer));
  }
};

// src/index.ts
var page = crypto.getRandomValues(new Uint32Array(2)).join("-");
var views = 0;
var render = ({ model, el, signal }) => {
  const closing = new AbortController();
  views += 1;
  new View(`${page}-${views}`, model, el, closing.signal);
  const close = () => closing.abort();
  signal?.addEventListener("abort", close);
  return close;
};
var index_default = { render };
export {
  index_default as default
};
