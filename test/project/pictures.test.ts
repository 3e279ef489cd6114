import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./imports.ts";

/** The pictures of the README, as `npm run pictures` makes them. */

const folder = join(ROOT, "docs/pictures");

test("the terminal is an SVG that loads nothing and shows the end of a run without animation", () => {
  const svg = readFileSync(join(folder, "terminal.svg"), "utf8");
  expect(svg).not.toMatch(/<script|href=|url\(|@import|<image|<foreignObject/i);
  expect(svg).toContain("prefers-reduced-motion:no-preference");
  const still = svg.split("\n").filter((line) => line.startsWith("<g id=") && !line.includes('class="old"'));
  const text = still.join("\n").replace(/<[^>]+>/g, "");
  for (const shown of ["$ harness demo", "completed", "not ok 2 - ten percent off"]) expect(text).toContain(shown);
});

test("the page is a sharp PNG of less than 300 KB", () => {
  const file = join(folder, "page.png");
  expect(statSync(file).size).toBeLessThan(300 * 1024);
  const png = readFileSync(file);
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  expect(png.readUInt32BE(16)).toBeGreaterThanOrEqual(2000);
});
