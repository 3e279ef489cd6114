import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { bash, cleanUp, directory } from "../support/harness.ts";
import { documents, stepsIn, textOf } from "./blocks.ts";
import { programsIn } from "./programs.ts";

/** The tests run every `sh` block of a page, in one shell, and look for the lines that the page shows below it. */

afterAll(cleanUp);

const NEXT = "----- next step -----";

const pages = documents.map((page) => ({ page, steps: stepsIn(textOf(page)) })).filter(({ steps }) => steps.length > 0);

test("every tutorial has commands or programs to run", () => {
  const tutorials = documents.filter((page) => page.startsWith("docs/tutorials/"));
  expect(tutorials.length).toBeGreaterThan(3);
  expect(tutorials.filter((page) => stepsIn(textOf(page)).length + programsIn(page).length < 5)).toEqual([]);
});

test.each(pages)("$page does what it says", { timeout: 20 * 60_000 }, async ({ steps }) => {
  const folder = directory();
  const cleaned = "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT";
  const script = ["exec 2>&1", "set -e", cleaned, ...steps.map(({ commands }) => `${commands}echo "${NEXT}"`)].join("\n");
  const env = { XDG_DATA_HOME: join(folder, "data"), XDG_CONFIG_HOME: join(folder, "config"), TMPDIR: folder };
  const { code, stdout } = await bash(script, { env });
  const printed = stdout.split(`${NEXT}\n`);
  for (const [index, { line, commands, shown }] of steps.entries()) {
    const lines = printed[index]?.split("\n").map((text) => text.trim()) ?? [];
    expect(lines, `line ${line}:\n${commands}`).toEqual(expect.arrayContaining([...shown]));
  }
  expect({ code, steps: printed.length - 1 }, printed.at(-1)).toEqual({ code: 0, steps: steps.length });
});
