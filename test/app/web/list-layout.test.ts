import { expect, test } from "vitest";
import { listLayout } from "../../../page/list/list-layout.ts";

/** The visible rows stay in place when the heights of other rows change. */

const VIEWPORT = 800;

function layoutOf(count: number, height: number) {
  const layout = listLayout(count, () => height);
  layout.setViewport(VIEWPORT);
  return layout;
}

function placeOf(layout: ReturnType<typeof layoutOf>, index: number, scrollTop: number): number | undefined {
  const row = layout.window().rows.find((each) => each.index === index);
  return row === undefined ? undefined : row.y - scrollTop;
}

test("rows above that turn out higher do not move the visible ones", () => {
  const layout = layoutOf(1000, 50);
  const element = { scrollTop: 0 };
  element.scrollTop = 20_000;
  layout.scrolled(element);
  const before = placeOf(layout, 402, element.scrollTop);
  expect(before).toBe(100);
  layout.setHeight(395, 350);
  layout.settle(element);
  expect(element.scrollTop).toBe(20_300);
  expect(placeOf(layout, 402, element.scrollTop)).toBe(before);
});

test("a list that turns out not to fit is shown from its start; a followed one, at its end", () => {
  for (const follows of [false, true]) {
    const layout = layoutOf(6, 84);
    layout.follows = follows;
    const element = { scrollTop: 0 };
    for (let i = 0; i < 6; i++) layout.setHeight(i, 200);
    layout.settle(element);
    expect(element.scrollTop).toBe(follows ? 1200 - VIEWPORT : 0);
  }
});

test("a replay that goes back keeps the heights of the remaining rows", () => {
  const layout = layoutOf(10, 50);
  for (let i = 0; i < 10; i++) layout.setHeight(i, 120);
  layout.resize(4, () => 50);
  expect(layout.window().rows.map(({ y }) => y)).toEqual([0, 120, 240, 360]);
  expect(layout.window().size).toBe(480);
  layout.resize(6, () => 50);
  expect(layout.window().rows.map(({ y }) => y)).toEqual([0, 120, 240, 360, 480, 530]);
});

test("a list that replaces a followed one starts at its end", () => {
  const before = layoutOf(3, 50);
  const after = listLayout(100, () => 50);
  after.succeed(before, true);
  expect(after.window().last).toBe(99);
  const elsewhere = listLayout(100, () => 50);
  elsewhere.succeed(before, false);
  expect(elsewhere.window().first).toBe(0);
});

test("draws only the visible rows and a margin", () => {
  const layout = layoutOf(100_000, 40);
  layout.scrolled({ scrollTop: 2_000_000 });
  const { rows, first, last, size } = layout.window();
  expect(rows.length).toBeLessThan(60);
  expect([first, last, size]).toEqual([50_000, 50_020, 4_000_000]);
});

test("in a list too high for a browser, the wheel is exact and the scrollbar reaches both ends", () => {
  const layout = layoutOf(1_000_000, 60);
  const { size } = layout.window();
  expect(size).toBe(12_000_000);
  const element = { scrollTop: 0 };
  for (let turn = 0; turn < 10; turn++) expect(layout.wheel(element, { deltaY: 100, deltaMode: 0, ctrlKey: false })).toBe(true);
  expect(placeOf(layout, 20, element.scrollTop)).toBeCloseTo(200, 1); // 1200 − 1000
  layout.scrolled({ scrollTop: size - VIEWPORT });
  expect(layout.window().rows.at(-1)?.index).toBe(999_999);
  expect(layout.isAtEnd).toBe(true);
  layout.reveal(500_000, "third");
  const middle = { scrollTop: 0 };
  layout.settle(middle);
  expect(placeOf(layout, 500_000, middle.scrollTop)).toBeCloseTo(VIEWPORT / 3, 0);
});

test("a list at its end follows new rows; elsewhere it does not move", () => {
  const layout = layoutOf(100, 50);
  layout.reveal(99, "end");
  layout.follows = true;
  layout.resize(150, () => 50);
  expect(layout.isAtEnd).toBe(true);
  layout.scrolled({ scrollTop: 1000 });
  layout.resize(300, () => 50);
  expect(layout.window().first).toBe(20);
});

test("a list at its end stays there in a lower window, and keeps following", () => {
  const layout = layoutOf(100, 50);
  layout.reveal(99, "end");
  layout.follows = true;
  layout.setViewport(VIEWPORT - 20);
  layout.resize(150, () => 50);
  expect(layout.isAtEnd).toBe(true);
});
