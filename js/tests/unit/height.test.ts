import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { HeightRule } from "../../src/height";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function makeRule() {
  const heights: number[] = [];
  return { heights, rule: new HeightRule((height) => heights.push(height)) };
}

test.each([
  [{ height: 200 }, 200],
  [{ height: 200.2 }, 201],
  [{ height: 5000 }, 600],
  [{ height: 0 }, 40],
  [{ height: 200, width: 700 }, 200],
  [{ height: 200, width: 700.9 }, 200],
])("%j is followed within bounds", (report, height) => {
  const { rule, heights } = makeRule();
  rule.report(report, 700);
  expect(heights).toEqual([height]);
});

test.each([
  [{}],
  [{ height: "200" }],
  [{ height: -1 }],
  [{ height: Number.NaN }],
  [{ height: Number.POSITIVE_INFINITY }],
  [{ height: 600, width: 10 }],
  [{ height: 600, width: Number.NaN }],
  [{ height: 150 }],
  [{ width: 700 }],
])("%j changes nothing", (report) => {
  const { rule, heights } = makeRule();
  rule.report(report, 700);
  expect(heights).toEqual([]);
});

test("a storm is held to 20 changes a second, and its last report counts", () => {
  const { rule, heights } = makeRule();
  for (let height = 200; height < 300; height += 1) rule.report({ height }, 700);
  expect(heights).toHaveLength(20);
  vi.advanceTimersByTime(1000);
  expect(heights).toHaveLength(21);
  expect(heights.at(-1)).toBe(299);
});

test("a stopped rule changes nothing more", () => {
  const { rule, heights } = makeRule();
  for (let height = 200; height < 300; height += 1) rule.report({ height }, 700);
  rule.stop();
  vi.advanceTimersByTime(5000);
  expect(heights).toHaveLength(20);
  expect(vi.getTimerCount()).toBe(0);
});
