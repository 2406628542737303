/** The two frames against apps that misbehave. Every attack has a control in which it succeeds. */

import { beforeAll, describe, expect, test } from "vitest";
import { bundle, type Change, useBench } from "../support/browser";
import { appPage, INNER_POLICY, PINNED_PAGE } from "../support/pages";

const ENTRY = "tests/support/harness.ts";
const bench = useBench();
let harness: string;

beforeAll(async () => {
  harness = await bundle(ENTRY);
});

const load = async (...changes: Change[]) => bench.load(changes.length ? await bundle(ENTRY, changes) : harness);

test("an app answers from inside its frames", async () => {
  await load();
  await bench.run(appPage("await start(); answer({ question: (await asked).params });"));
  expect(await bench.next("answer")).toEqual({
    kind: "answer",
    view: await bench.viewId(),
    instance: 1,
    result: {
      action: "accept",
      content: { question: { message: "Who?", requestedSchema: { type: "object", properties: {} } } },
    },
  });
});

test("both frames have a name and only two permissions", async () => {
  const page = await load();
  await bench.run(appPage("await start(); answer({});"));
  await bench.next("answer");
  const outer = page.locator(".mew-frame > iframe");
  const inner = outer.contentFrame().locator("iframe");
  for (const frame of [outer, inner]) {
    expect(await frame.getAttribute("title")).toBe("App of portfolio for assign");
    expect(await frame.getAttribute("sandbox")).toBe("allow-scripts allow-forms");
    expect(await frame.getAttribute("referrerpolicy")).toBe("no-referrer");
  }
});

test.each([
  ["without a doctype", ""],
  ["with a doctype of its own", "<!doctype html>"],
  ["with a byte order mark", "\uFEFF<!doctype html>"],
])("a page %s is in standards mode, with its own language", async (_, before) => {
  await load();
  const script = "await start(); answer({ mode: document.compatMode, lang: document.documentElement.lang });";
  await bench.run(before + appPage(script));
  expect(await bench.content()).toEqual({ mode: "CSS1Compat", lang: "en" });
});

test("text beyond ASCII arrives as it was sent", async () => {
  await load();
  await bench.run(
    appPage("await start(); answer({ text: document.body.innerText.trim() });", "<p>Zürich – 東京 🏦</p>"),
  );
  expect(await bench.content()).toEqual({ text: "Zürich – 東京 🏦" });
});

describe("a forged answer", () => {
  const FORGED = { jsonrpc: "2.0", id: 1, result: { action: "accept", content: { forged: true } } };

  /** Another frame in the notebook posts what our outer frame would. */
  async function forgeFromSibling(): Promise<void> {
    await bench.run(appPage("await start();"));
    await bench.page.waitForFunction(() => document.querySelector(".mew-live")?.textContent === "The app is ready.");
    await bench.page.evaluate((forged) => {
      const sibling = document.createElement("iframe");
      sibling.setAttribute("sandbox", "allow-scripts");
      const message = JSON.stringify({ mew: "rpc", message: forged });
      sibling.srcdoc = `<script>parent.postMessage(${message}, "*"); parent.postMessage("forged", "*");</script>`;
      return new Promise<void>((resolve) => {
        window.addEventListener("message", ({ data }) => data === "forged" && resolve());
        document.body.append(sibling);
      });
    }, FORGED);
  }

  test("from another frame of the notebook is ignored", async () => {
    await load();
    await forgeFromSibling();
    expect((await bench.sent()).map(({ kind }) => kind)).toEqual(["ready"]);
  });

  test("control: without the host's check of the source it is taken", async () => {
    await load(["frame.ts", "if (event.source === null || event.source !== this.element.contentWindow) return;", ""]);
    await forgeFromSibling();
    expect(await bench.content()).toEqual({ forged: true });
  });

  // The nested frame posts to the relay before it tells the app, so the forgery is the first to arrive.
  const nesting = appPage(`
    await start();
    await asked;
    addEventListener("message", ({ data }) => data === "forged" && answer({ genuine: true }));
    const nested = document.createElement("iframe");
    nested.srcdoc = '<script>parent.parent.postMessage(${JSON.stringify(FORGED)}, "*"); parent.postMessage("forged", "*");<\\/script>';
    document.body.append(nested);
  `);

  test("from a frame inside the app is ignored", async () => {
    await load();
    await bench.run(nesting);
    expect(await bench.content()).toEqual({ genuine: true });
  });

  test("control: without the relay's check of the source it is taken", async () => {
    await load(["relay.ts", "else if (app?.contentWindow && event.source === app.contentWindow)", "else"]);
    await bench.run(nesting);
    expect(await bench.content()).toEqual({ forged: true });
  });
});

describe("the notebook's page", () => {
  const probe = appPage(`
    localStorage.setItem("app", "was here");
    const found = {
      parent: await attempt(() => parent.document.title),
      top: await attempt(() => top.document.title),
      cookie: await attempt(() => document.cookie),
      database: await attempt(() => new Promise((resolve, reject) => {
        const request = indexedDB.open("x");
        request.onsuccess = () => resolve("opened");
        request.onerror = () => reject(request.error);
      })),
      origin: self.origin,
    };
    await start();
    answer(found);
  `);

  test("is out of the app's reach, with its cookies and storage", async () => {
    const page = await load();
    await bench.run(probe);
    const error = { error: "SecurityError" };
    expect(await bench.content()).toEqual({
      parent: error,
      top: error,
      cookie: error,
      database: error,
      origin: "null",
    });
    expect(await page.evaluate(() => localStorage.getItem("app"))).toBeNull();
  });

  test("control: with allow-same-origin the app reads all of it", async () => {
    const [from, to] = ['"allow-scripts allow-forms"', '"allow-scripts allow-forms allow-same-origin"'];
    const page = await load(["frame.ts", from, to], ["relay.ts", from, to]);
    await bench.run(probe);
    const content = await bench.content();
    expect(content).toMatchObject({
      top: { ok: "notebook" },
      cookie: { ok: "host=secret" },
      database: { ok: "opened" },
    });
    expect(await page.evaluate(() => localStorage.getItem("app"))).toBe("was here");
  });
});

describe("the network", () => {
  const page = () =>
    appPage(
      `await start(); answer({ fetched: await attempt(async () => (await fetch("${bench.canary.url}/f")).status) });`,
    );

  test("is closed by the policy", async () => {
    await load();
    await bench.run(page());
    expect(await bench.content()).toEqual({ fetched: { error: "TypeError" } });
    expect(bench.canary.hits).toEqual([]);
  });

  test("control: without a policy the server is reached", async () => {
    await load();
    await bench.run(page(), { innerPolicy: "" });
    expect(await bench.content()).toEqual({ fetched: { ok: "200" } });
    expect(bench.canary.hits).toEqual(["/f"]);
  });

  test("a policy cannot break out of its attribute", async () => {
    await load();
    const innerPolicy = `${INNER_POLICY}; img-src "><script>window.broken=1</script> &quot;`;
    await bench.run(appPage("await start(); answer({ broken: String(window.broken) });"), { innerPolicy });
    expect(await bench.content()).toEqual({ broken: "undefined" });
  });
});

describe("leaving its own page", () => {
  const WAYS = [
    ["location.href", (url: string) => `location.href = "${url}";`],
    ["location.replace", (url: string) => `location.replace("${url}");`],
    [
      "a link",
      (url: string) => `const a = document.createElement("a"); a.href = "${url}"; document.body.append(a); a.click();`,
    ],
    [
      "a refresh",
      (url: string) =>
        `document.head.insertAdjacentHTML("beforeend", '<meta http-equiv="refresh" content="0;url=${url}">');`,
    ],
    [
      "a form",
      (url: string) =>
        `const f = document.createElement("form"); f.action = "${url}"; document.body.append(f); f.submit();`,
    ],
  ] as const;
  // The app's own policy would stop the form, so it is left out: this is about the outer frame.
  const innerPolicy = INNER_POLICY.replace("form-action 'none'; ", "");
  const page = (way: (url: string) => string) =>
    appPage(`await start(); await asked; ${way(`${bench.canary.url}/?d=1`)}`);

  test.each(WAYS)("by %s is stopped and reported", async (_, way) => {
    await load();
    await bench.run(page(way), { innerPolicy });
    expect(await bench.next("failed")).toMatchObject({ reason: "navigated", instance: 1 });
    expect(bench.canary.hits).toEqual([]);
  });

  test.each(WAYS)("control: by %s reaches the server without the outer policy", async (_, way) => {
    await load();
    await bench.run(page(way), { innerPolicy, outerPolicy: "" });
    await expect.poll(() => bench.canary.hits.length).toBeGreaterThan(0);
  });

  test("by reloading loses the question, which is reported", async () => {
    await load();
    await bench.run(appPage("await start(); await asked; location.reload();"));
    expect(await bench.next("failed")).toMatchObject({ reason: "navigated" });
  });

  test("to a place in the page is no leaving", async () => {
    await load();
    const body = '<a id="link" href="#there">there</a><p id="there">x</p>';
    await bench.run(appPage("await start(); link.click(); answer({ hash: location.hash });", body));
    expect(await bench.content()).toEqual({ hash: "#there" });
  });
});

describe("methods of the sandbox itself", () => {
  test("do not leave the app, while others are answered", async () => {
    await load();
    // A request, as its reply shows whether it came through. The ping after it shows that a reply would be here.
    const script = (method: string) => `
      await start();
      let reply = "none";
      ask("${method}", {}).then(({ error }) => { reply = error.code; });
      await ask("ping", {});
      answer({ reply });`;
    await bench.run(appPage(script("ui/notifications/sandbox-resource-ready")));
    expect(await bench.content()).toEqual({ reply: "none" });
    await bench.run(appPage(script("ui/notifications/another")));
    expect(await bench.content()).toEqual({ reply: -32601 });
  });

  test("do not reach the app, while others do", async () => {
    const page = await load();
    await bench.run(
      appPage(
        "await start(); await asked; addEventListener('message', () => seen.at(-1) === 'end' && answer({ seen }));",
      ),
    );
    await page.waitForFunction(() => document.querySelector(".mew-live")?.textContent === "The app is ready.");
    await page.evaluate(() => {
      const outer = document.querySelector<HTMLIFrameElement>(".mew-frame > iframe");
      for (const method of ["ui/notifications/sandbox-proxy-ready", "ui/notifications/another", "end"])
        outer?.contentWindow?.postMessage({ mew: "rpc", message: { jsonrpc: "2.0", method } }, "*");
    });
    expect((await bench.content()).seen).toEqual(["response", "elicitation/create", "ui/notifications/another", "end"]);
  });
});

describe("the prelude", () => {
  test("lets an app answer that pins the origin of its host", async () => {
    await load();
    await bench.run(PINNED_PAGE);
    expect(await bench.content()).toEqual({ origin: "*" });
  });

  test("control: without it such an app never finishes the handshake", async () => {
    bench.expectedErrors = /Invalid target origin 'null'/;
    await load(["prelude.ts", "  makeOriginUsable();\n", ""]);
    await bench.run(PINNED_PAGE, { handshakeSeconds: 1 });
    expect(await bench.next("failed")).toMatchObject({
      reason: "no_handshake",
      detail: expect.stringContaining("null"),
    });
  });

  test("leaves the origin of all other messages alone", async () => {
    await load();
    await bench.run(
      appPage(`
      await start();
      const origin = await new Promise((resolve) => {
        addEventListener("message", (event) => event.source === window && resolve(event.origin));
        window.postMessage("me", "*");
      });
      answer({ own: origin, made: new MessageEvent("message", { origin: "null" }).origin });`),
    );
    expect(await bench.content()).toEqual({ own: "null", made: "null" });
  });

  test("gives a storage that works and is gone with the frame", async () => {
    await load();
    const script = `
      const found = {};
      for (const storage of [localStorage, sessionStorage]) {
        storage.setItem("a", 1);
        storage.b = "two";
        const json = JSON.stringify(storage);
        delete storage.a;
        found[json] = [storage.length, storage.key(0), storage.getItem("b"), storage.getItem("a"), "b" in storage,
          "a" in storage, Object.keys(storage).join(), storage instanceof Storage];
        storage.clear();
        found[json].push(storage.length);
      }
      await start();
      answer(found);`;
    await bench.run(appPage(script));
    const expected = { '{"a":"1","b":"two"}': [1, "b", "two", null, true, false, "b", true, 0] };
    expect(await bench.content()).toEqual(expected);
    await bench.run(appPage("await start(); answer({ length: localStorage.length });"));
    expect(await bench.content()).toEqual({ length: 0 });
  });

  test.each([
    ["an error", "throw new Error('boom');"],
    ["a rejection", "Promise.reject(new Error('boom'));"],
    ["a syntax error", "boom boom"],
  ])("reports %s that ends an app before it starts", async (_, script) => {
    bench.expectedErrors = /boom|Unexpected identifier/;
    await load();
    await bench.run(`<p>hello</p><script>${script}</script>`);
    expect(await bench.next("failed")).toMatchObject({
      reason: "broken",
      detail: expect.stringMatching(/boom|Unexpected/),
    });
  });

  test("names what the policy kept from an app that never starts", async () => {
    await load();
    await bench.run(`<script src="${bench.canary.url}/x.js"></script>`, { handshakeSeconds: 1 });
    expect(await bench.next("failed")).toMatchObject({
      reason: "no_handshake",
      detail: expect.stringMatching(/script-src-elem|SCRIPT/),
    });
    expect(bench.canary.hits).toEqual([]);
  });
});

test("a form's submit handler runs, and its button works by mouse", async () => {
  const page = await load();
  const body = '<form id="form"><input name="who" value="Ada"><button>Send</button></form>';
  const script = `await start();
    form.addEventListener("submit", (event) => { event.preventDefault(); answer({ who: new FormData(form).get("who") }); });`;
  await bench.run(appPage(script, body));
  await page.locator(".mew-frame > iframe").contentFrame().locator("iframe").contentFrame().locator("button").click();
  expect(await bench.content()).toEqual({ who: "Ada" });
});

test("what is not JSON does not reach the kernel as an answer", async () => {
  await load();
  await bench.run(appPage("await start(); answer({ amount: 1n });"));
  expect(await bench.next("failed")).toMatchObject({ reason: "error_reply" });
});
