import { payloads } from "./hostile.ts";

/** Lines of `trials` with every outcome: passes, failures, grader errors, lost runs, hostile names. */

interface Written {
  readonly cases: readonly string[];
  readonly agents: readonly string[];
  readonly k: number;
  /** An existing run. */
  readonly run: string;
}

export function resultLines({ cases, agents, k, run }: Written): string {
  let seed = 11;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const lines = cases.flatMap((id, c) =>
    agents.map((agent, a) => ({
      id,
      input: `What is asked in case ${c}: ${id}`,
      expected: "Hello",
      agent,
      model: ["opus", "mini", "large"][a],
      k,
      trials: Array.from({ length: k }, (_, t) => ({
        trialNum: t + 1,
        output: `The answer to ${id}`,
        duration: 1000 + 4000 * random() * (a + 1),
        toolErrors: random() < 0.1,
        runs: [t === 0 ? run : "20200101-000000-gone"],
        usage: { input: 1000 * (a + 1), output: 200, cacheRead: null, cacheWrite: null, reasoning: null },
        cost: a === 2 ? null : 0.01 * (a + 1) * (1 + random()),
        ...outcome(random(), ((c * 7) % 10) / 10 + a * 0.12, id),
      })),
      metadata: {},
    })),
  );
  return `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
}

function outcome(luck: number, ease: number, id: string): object {
  if (luck > 0.97) return { status: "completed", gradeError: `The grader ended with code 7 on ${id}.` };
  if (luck > 0.94) return { status: "infrastructure" };
  const pass = luck < ease;
  return { status: "completed", pass, score: pass ? 1 : 0, reasoning: `It ${pass ? "is" : "is not"} what was asked: ${id}` };
}

export const hostileCases: readonly string[] = [...payloads, "x".repeat(20_000), ""];
