import { afterAll, beforeAll, expect, test } from "vitest";
import { runs } from "../../support/full.ts";
import { type OddRun, oddMachine, whyNot } from "./odd/odd-runs.ts";
import { randomScript } from "./odd/random-script.ts";

/**
 * Random programs that change files and use the network in unusual ways. The disk before and after, a packet capture and servers say what
 * really happened: what a trace missed is never a pass. `npm run test:full -- test/work/observe/trace-fuzz.test.ts` runs 2,000 of them;
 * HARNESS_TRACE_SEED repeats those from a seed on, and HARNESS_TRACE_RUNS sets their number.
 */

const reason = whyNot();
const first = Number(process.env["HARNESS_TRACE_SEED"] ?? Math.floor(Date.now() / 86_400_000) * 10_000);
const count = Number(process.env["HARNESS_TRACE_RUNS"] ?? runs(25, 2_000));

let machine: Awaited<ReturnType<typeof oddMachine>>;
beforeAll(async () => {
  if (reason === undefined) machine = await oddMachine();
});
afterAll(() => machine?.close());

/** What a run got wrong. Undefined: nothing. */
function mistake({ paths, network, changed, contacted }: OddRun): string | undefined {
  if (changed.length > 0 && paths.status === "pass") return `missed write: ${changed.join(", ")}`;
  if (contacted.length > 0 && network.status === "pass") return `missed contact: ${contacted.join(", ")}`;
  return undefined;
}

const name = `no missed effect is a pass: ${count} random programs from seed ${first}`;
test.skipIf(reason)(reason === undefined ? name : `${name} (not here: ${reason})`, { timeout: 60_000 + count * 5_000 }, async () => {
  const tally = new Map<string, number>();
  const add = (key: string) => tally.set(key, (tally.get(key) ?? 0) + 1);
  const mistakes: object[] = [];
  for (let seed = first; seed < first + count; seed++) {
    const { script, reach, replacesAgent } = randomScript(seed);
    const run = await machine.run(script, { replacesAgent, network: { agent: true } });
    const wrong = mistake(run);
    if (wrong !== undefined) mistakes.push({ seed, wrong, script, effects: run.effects, gaps: run.gaps });
    add(`${reach}: ${run.changed.length > 0 ? "changed" : "unchanged"}, paths ${run.paths.status}`);
    add(`${reach}: ${run.contacted.length > 0 ? "contacted" : "silent"}, network ${run.network.status}`);
    const asked = process.env["HARNESS_TRACE_SHOW"];
    if (
      asked === String(seed) ||
      (asked === "odd" &&
        ((run.changed.length === 0 && run.paths.status === "fail") || (reach === "inside" && run.paths.status !== "pass")))
    )
      console.log(
        JSON.stringify(
          {
            seed,
            reach,
            script: script.join(" | "),
            paths: run.paths.message,
            effects: run.effects.join(" | "),
            gaps: run.gaps.join(" | "),
            contacted: run.contacted,
          },
          null,
          1,
        ),
      );
  }
  console.log(
    `${count} programs:\n${[...tally]
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([key, n]) => `  ${key}: ${n}`)
      .join("\n")}`,
  );
  expect(mistakes).toEqual([]);
  // If nothing happened, it mostly passes: a check that never passes proves nothing.
  const [passed, unsure] = ["pass", "unknown"].map((status) => tally.get(`inside: unchanged, paths ${status}`) ?? 0);
  if (count >= 200) expect(passed).toBeGreaterThan(unsure ?? 0);
});
