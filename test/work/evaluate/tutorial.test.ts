import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { bash, cleanUp, directory, ROOT } from "../../support/harness.ts";

/** The tutorial is run as it is written: all its sh blocks in one shell, and each prints what is shown below it. */

afterAll(cleanUp);

interface Step {
  readonly commands: string;
  readonly shown: readonly string[];
}

function stepsIn(markdown: string): Step[] {
  return [...markdown.matchAll(/^```sh\n([\s\S]*?)^```$(?:\n\n```text\n([\s\S]*?)^```$)?/gm)].map(([, commands = "", shown = ""]) => ({
    commands,
    shown: shown.split("\n").filter((line) => line !== ""),
  }));
}

const NEXT = "----- next step -----";

test("docs/tutorials/first-evaluation.md does what it says", { timeout: 20 * 60_000 }, async () => {
  const steps = stepsIn(readFileSync(join(ROOT, "docs/tutorials/first-evaluation.md"), "utf8"));
  expect(steps.length).toBeGreaterThan(10);
  const left = "trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf \"$WORK\"' EXIT"; // whatever happens in between
  const script = ["set -e", left, ...steps.map(({ commands }) => `${commands}echo "${NEXT}"`)].join("\n");
  const folder = directory();
  const { code, stdout, stderr } = await bash(`exec 2>&1\n${script}`, { env: { XDG_DATA_HOME: join(folder, "data"), TMPDIR: folder } });
  const printed = stdout.split(`${NEXT}\n`);
  for (const [index, { commands, shown }] of steps.entries())
    expect(printed[index]?.split("\n").map((line) => line.trim()) ?? [], `${commands}\n${stderr}`).toEqual(
      expect.arrayContaining([...shown]),
    );
  expect({ code, steps: printed.length - 1 }).toEqual({ code: 0, steps: steps.length });
});
