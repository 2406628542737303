import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

const read = (name: string) =>
  readFileSync(new URL(`../../../mcp_elicit_widget/static/${name}`, import.meta.url), "utf8");

test("the bundle stays below 20 kB", () => {
  expect(gzipSync(read("card.js")).length).toBeLessThan(20_000);
});

test("the bundle is one module with one default export", () => {
  const source = read("card.js");
  expect(source).toMatch(/^\/\/ Built from js\/src, do not edit\.\n/);
  expect(source).not.toMatch(/\bimport\s*[({"'*]|\bfrom\s+["']|\brequire\(/);
  expect(source.match(/\bexport\b/g)).toHaveLength(1);
});

test.each(["card.js", "card.css"])("%s names nothing to load", (name) => {
  expect(read(name)).not.toMatch(/https?:|wss?:|["'(]\/\/|@import|url\(/i);
});

test("nothing is written to the console or made with innerHTML", () => {
  expect(read("card.js")).not.toMatch(/console\.|innerHTML|outerHTML|insertAdjacentHTML|randomUUID/);
});

test("the sandbox never allows the same origin, and no flag but scripts and forms", () => {
  const flags = [...read("card.js").matchAll(/\ballow-[a-z-]+/g)].map(([flag]) => flag);
  expect([...new Set(flags)].sort()).toEqual(["allow-forms", "allow-scripts"]);
});
