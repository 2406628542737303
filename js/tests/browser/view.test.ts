/** A view and the kernel: what it shows, when it says what, and that nothing stays behind. */

import { beforeAll, describe, expect, test } from "vitest";
import { bundle, useBench } from "../support/browser";
import { appPage } from "../support/pages";

const bench = useBench();
let harness: string;

beforeAll(async () => {
  harness = await bundle("tests/support/harness.ts");
});

const QUIET = appPage("await start();");

const frames = () => bench.page.locator(".mew-frame > iframe");

test("a view says that it is ready, under a name of its own in every page", async () => {
  const names: string[] = [];
  for (let round = 0; round < 2; round += 1) {
    await bench.load(harness);
    for (let view = 0; view < 2; view += 1) names.push(await bench.viewId(await bench.open()));
    if (round === 0) await bench.page.close();
  }
  expect(new Set(names).size).toBe(4);
});

test("a view that is closed says that it is gone, once", async () => {
  const page = await bench.load(harness);
  const view = await bench.open();
  await page.evaluate((v) => window.harness.view(v).close(), view);
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent("pagehide")));
  expect((await bench.sent()).map(({ kind }) => kind)).toEqual(["ready", "gone"]);
  expect(await page.evaluate((v) => window.harness.view(v).model.listening, view)).toBe(0);
});

test("a view says that it is gone when its page goes away", async () => {
  const page = await bench.load(harness);
  await bench.open();
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent("pagehide")));
  expect((await bench.sent()).map(({ kind }) => kind)).toEqual(["ready", "gone"]);
});

describe("the head", () => {
  test("names who asks, about which tool, and what", async () => {
    const page = await bench.load(harness);
    await bench.open();
    await bench.show({ message: "Who?\n<b>Choose</b>", note: "because" });
    const group = page.getByRole("group", { name: "portfolio asks about assign" });
    expect(await group.locator(".mew-who").textContent()).toBe("portfolio asks · assign");
    expect(await group.locator("strong").textContent()).toBe("portfolio");
    expect(await group.locator(".mew-message").textContent()).toBe("Who?\n<b>Choose</b>");
    expect(await group.getByRole("status").filter({ hasText: "because" }).isVisible()).toBe(true);
  });

  test("says that a call runs, and how far it is", async () => {
    const page = await bench.load(harness);
    await bench.open();
    await bench.show({ state: "working", message: "", progress: "2 of 5" });
    expect(await page.locator(".mew-who").textContent()).toBe("assign on portfolio is running…");
    expect(await page.locator(".mew-progress").textContent()).toBe("2 of 5");
  });

  test("makes hidden and turning characters visible", async () => {
    const page = await bench.load(harness);
    await bench.open();
    await bench.show({ server: "a\u202Eb", tool: "c\u0000d", message: "x\u2066y\u200Fz\n\tq\u001b", note: "n\u200E" });
    expect(await page.locator(".mew-head").evaluate((head) => head.textContent)).toBe(
      "a\uFFFDb asks · c\uFFFDdx\uFFFDy\uFFFDz\n\tq\uFFFDn\uFFFD",
    );
    expect(await page.locator(".mew-head").getAttribute("aria-label")).toBe("a\uFFFDb asks about c\uFFFDd");
  });

  test("announces the app, the form and the answer", async () => {
    const page = await bench.load(harness);
    await bench.run(QUIET);
    const live = page.locator("[aria-live=polite]");
    const announced = async (text: string) => {
      await page.waitForFunction((t) => document.querySelector("[aria-live=polite]")?.textContent === t, text);
      expect(await live.count()).toBe(1);
    };
    await announced("The app is ready.");
    await bench.show({ state: "form", note: "The app broke." });
    await announced("The built-in form is shown.");
    await bench.show({ state: "sent" });
    await announced("Answer sent.");
    expect(await page.locator(".mew-note").textContent()).toBe("Answer sent.");
  });
});

test("messages that are none are ignored", async () => {
  await bench.load(harness);
  await bench.open();
  for (const message of [{}, { kind: "other" }, { kind: "show" }, { kind: "start", view: 1 }, { kind: "stop" }])
    await bench.deliver(message);
  expect((await bench.sent()).map(({ kind }) => kind)).toEqual(["ready"]);
  expect(await frames().count()).toBe(0);
});

describe("an app", () => {
  test("that is stopped is cancelled, closed and taken away", async () => {
    const page = await bench.load(harness);
    await bench.run(QUIET);
    await page.waitForFunction(() => document.querySelector(".mew-live")?.textContent === "The app is ready.");
    await bench.deliver({ kind: "stop", reason: "the form took over" });
    expect(await frames().first().isHidden()).toBe(true);
    await page.waitForFunction(() => document.querySelector(".mew-frame > iframe") === null);
    expect((await bench.sent()).map(({ kind }) => kind)).toEqual(["ready"]);
  });

  test("that never answers its teardown is taken away all the same", async () => {
    const page = await bench.load(harness);
    await bench.run(
      appPage("await start(); await asked; answer({});").replace("post({ id: data.id, result: {} })", "null"),
    );
    await bench.next("answer");
    await bench.deliver({ kind: "stop", reason: "answered" });
    await page.waitForFunction(() => document.querySelector(".mew-frame > iframe") === null);
  });

  test("that is started again replaces the one before, and answers as the new instance", async () => {
    const page = await bench.load(harness);
    await bench.run(QUIET);
    await bench.startApp(appPage("await start(); answer({});"), { instance: 2 });
    expect(await bench.next("answer")).toMatchObject({ instance: 2 });
    await page.waitForFunction(() => document.querySelectorAll(".mew-frame > iframe").length === 1);
  });

  test("without a page is a failure, not a wait", async () => {
    await bench.load(harness);
    await bench.open();
    await bench.show();
    const start = {
      instance: 1,
      params: {},
      outerPolicy: "",
      innerPolicy: "",
      context: {},
      hostVersion: "",
      granted: {},
      title: "",
    };
    await bench.deliver({ kind: "start", view: await bench.viewId(), ...start, handshakeSeconds: 1 });
    expect(await bench.next("failed")).toMatchObject({ reason: "broken", instance: 1 });
  });

  test("of a view that is closed goes with it", async () => {
    const page = await bench.load(harness);
    const view = await bench.run(QUIET);
    await page.evaluate((v) => window.harness.view(v).close(), view);
    expect(await frames().count()).toBe(0);
    expect(page.frames()).toHaveLength(1);
  });

  test("runs in one view; the other says where it is, until the form is shown in both", async () => {
    const page = await bench.load(harness);
    const first = await bench.run(QUIET);
    const second = await page.evaluate((v) => window.harness.openSecond(v), first);
    const ids = (await bench.sent(first)).map((message) => message.view);
    expect(new Set(ids).size).toBe(2);
    await bench.startApp(appPage("await start(); answer({});"), { view: String(ids[1]), instance: 2 });
    expect(await bench.next("answer", first)).toMatchObject({ view: ids[1], instance: 2 });
    const line = (view: number) => page.locator(".mew-panel").nth(view).locator(".mew-line");
    await bench.show();
    expect(await line(first).textContent()).toBe("This question is open in another view of this output.");
    expect(await line(second).isVisible()).toBe(false);
    await bench.show({ state: "form" });
    expect(await line(first).isVisible()).toBe(false);
  });

  test("whose frames are loaded again is asked for anew, as after hiding and showing an output", async () => {
    const page = await bench.load(harness);
    const view = await bench.run(QUIET);
    await page.waitForFunction(() => document.querySelector(".mew-live")?.textContent === "The app is ready.");
    await page.evaluate((v) => {
      const { panel } = window.harness.view(v);
      panel.remove();
      document.body.append(panel);
    }, view);
    const ready = await bench.next("ready", view, 1);
    expect(ready.view).toBe(await bench.viewId());
    expect(await frames().count()).toBe(0);
    await bench.startApp(appPage("await start(); answer({});"), { instance: 2 });
    expect(await bench.next("answer")).toMatchObject({ instance: 2 });
  });
});

describe("a kernel that is gone", () => {
  test("is said in a plain line, and its app is taken away", async () => {
    const page = await bench.load(harness);
    const script = "await start(); document.querySelector('button').onclick = () => answer({});";
    const view = await bench.run(appPage(script, "<button>Answer</button>"));
    await page.waitForFunction(() => document.querySelector(".mew-live")?.textContent === "The app is ready.");
    await page.evaluate((v) => {
      window.harness.view(v).model.isDead = true;
    }, view);
    await frames().contentFrame().locator("iframe").contentFrame().locator("button").click();
    await page.getByText("The kernel that asked is gone.").waitFor();
    expect(await frames().count()).toBe(0);
  });

  test("is noticed at once when the widget manager marks its models", async () => {
    const page = await bench.load(harness);
    const view = await bench.run(appPage("await start();"));
    await page.waitForFunction(() => document.querySelector(".mew-live")?.textContent === "The app is ready.");
    await page.evaluate((v) => window.harness.view(v).model.loseComm(), view);
    await page.getByText("The kernel that asked is gone.").waitFor();
    expect(await frames().count()).toBe(0);
  });

  test("is noticed when a view is closed, without an error", async () => {
    const page = await bench.load(harness);
    const view = await bench.open();
    await page.evaluate((v) => {
      window.harness.view(v).model.isDead = true;
      window.harness.view(v).close();
    }, view);
  });

  test("may never have been there: a view that hears nothing says so, until it hears something", async () => {
    const page = await bench.load();
    await page.clock.install();
    await page.addScriptTag({ content: harness });
    await bench.open();
    const line = page.getByText("The kernel that asked does not answer.");
    expect(await line.count()).toBe(0);
    await page.clock.runFor(3000);
    expect(await line.isVisible()).toBe(true);
    await bench.show();
    expect(await line.count()).toBe(0);
  });
});
