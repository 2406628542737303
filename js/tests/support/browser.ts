/** A real Chromium with the harness page in it, and a server that counts what reaches it. */

import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { Show, Start } from "../../src/messages";
import { INNER_POLICY, OUTER_POLICY } from "./pages";

const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** A piece of source to change in a control, to show that a test fails without it. */
export type Change = [file: string, from: string, to: string];

type Message = Record<string, unknown> & { kind: string };

/** Bundle a file for the page; every change must match its file exactly once. */
export async function bundle(entry: string, changes: Change[] = []): Promise<string> {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const made = new Set<Change>();
  const change: Plugin = {
    name: "change",
    setup(plugin) {
      plugin.onLoad({ filter: /\/src\/\w+\.ts$/ }, async ({ path }) => {
        let contents = await readFile(path, "utf8");
        for (const each of changes.filter(([file]) => path.endsWith(`/src/${file}`))) {
          expect(contents.split(each[1]), `${each[1]} in ${each[0]}`).toHaveLength(2);
          contents = contents.replace(each[1], () => each[2]);
          made.add(each);
        }
        return { contents, loader: "ts" };
      });
    },
  };
  const options = { bundle: true, write: false, format: "iife", target: "es2022", logLevel: "error" } as const;
  const result = await build({
    ...options,
    absWorkingDir: root,
    entryPoints: [entry],
    loader: { ".css": "empty", ".svg": "empty" },
    define: { "process.env": "{}", global: "window" },
    plugins: [change],
  });
  expect(made.size).toBe(changes.length);
  return result.outputFiles[0]?.text ?? "";
}

/** Answers every request, from anywhere, and remembers it. */
class Canary {
  readonly hits: string[] = [];
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      this.hits.push(request.url ?? "");
      response.writeHead(200, { "access-control-allow-origin": "*", "content-type": "text/html" });
      response.end("<!doctype html><title>canary</title>");
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async start(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

export class Bench {
  readonly canary = new Canary();
  page!: Page;
  /** Page errors that the test at hand provokes. */
  expectedErrors: RegExp | null = null;
  #browser!: Browser;
  #server!: Server;
  #errors: string[] = [];
  #lastView = 0;

  async start(): Promise<void> {
    await this.canary.start();
    this.#server = createServer((_, response) => {
      response.writeHead(200, { "content-type": "text/html", "set-cookie": "host=secret" });
      response.end("<!doctype html><html lang='en'><title>notebook</title><body></body></html>");
    });
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    this.#browser = await chromium.launch({
      executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
      args: CHROMIUM_FLAGS,
    });
  }

  async stop(): Promise<void> {
    await this.#browser?.close();
    this.#server.closeAllConnections();
    this.#server.close();
    await this.canary.stop();
  }

  /** A fresh page with these scripts. */
  async load(...scripts: string[]): Promise<Page> {
    this.canary.hits.length = 0;
    this.page = await this.#browser.newPage();
    this.page.on("pageerror", (error) => this.#errors.push(String(error)));
    await this.page.goto(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`);
    for (const script of scripts) await this.page.addScriptTag({ content: script });
    return this.page;
  }

  async finish(): Promise<void> {
    const errors = this.#errors.filter((error) => !this.expectedErrors?.test(error));
    this.#errors = [];
    this.expectedErrors = null;
    await this.page?.close();
    expect(errors).toEqual([]);
  }

  /** Draw a view of a model of its own. */
  async open(): Promise<number> {
    this.#lastView = await this.page.evaluate(() => window.harness.open());
    return this.#lastView;
  }

  async deliver(message: object, html?: string, view = this.#lastView): Promise<void> {
    await this.page.evaluate(([v, m, h]) => window.harness.view(v).model.deliver(m, h), [view, message, html] as const);
  }

  async show(changes: Partial<Show> = {}, view?: number): Promise<void> {
    const texts = { server: "portfolio", tool: "assign", message: "Who?", note: "", progress: "", reach: "" };
    await this.deliver({ kind: "show", state: "app", ...texts, fields: [], shield: [], ...changes }, undefined, view);
  }

  /** Draw a view and start an app in it. */
  async run(html: string, changes: Partial<Start> = {}): Promise<number> {
    const view = await this.open();
    await this.show();
    await this.startApp(html, changes);
    return view;
  }

  async startApp(html: string, changes: Partial<Start> = {}): Promise<void> {
    const start: Start = {
      kind: "start",
      view: await this.viewId(),
      instance: 1,
      params: { message: "Who?", requestedSchema: { type: "object", properties: {} } },
      outerPolicy: OUTER_POLICY,
      innerPolicy: INNER_POLICY,
      context: {},
      hostVersion: "0.1.0",
      granted: {},
      title: "App of portfolio for assign",
      handshakeSeconds: 15,
      ...changes,
    };
    await this.deliver(start, html);
  }

  async viewId(view = this.#lastView): Promise<string> {
    const [ready] = (await this.sent(view)).filter(({ kind }) => kind === "ready");
    return String(ready?.view);
  }

  async sent(view = this.#lastView): Promise<Message[]> {
    return this.page.evaluate((v) => window.harness.view(v).model.sent as never, view);
  }

  /** Wait for a message of the view to the kernel. */
  async next(kind: string, view = this.#lastView, nth = 0): Promise<Message> {
    const find = ([v, k, n]: readonly [number, string, number]) =>
      window.harness.view(v).model.sent.filter((message) => message.kind === k)[n];
    const handle = await this.page.waitForFunction(find, [view, kind, nth] as const);
    return (await handle.jsonValue()) as Message;
  }

  /** What the app put into its accepted answer. */
  async content(): Promise<Record<string, unknown>> {
    const { result } = await this.next("answer");
    return (result as { content: Record<string, unknown> }).content;
  }
}

/** A bench for all tests of a file; each test ends without page errors. */
export function useBench(): Bench {
  const bench = new Bench();
  beforeAll(() => bench.start());
  afterEach(() => bench.finish());
  afterAll(() => bench.stop());
  return bench;
}
