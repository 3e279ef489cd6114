import type { TrialPlan } from "../evaluation.ts";
import type { ResultFile } from "../results/index.ts";

/** One trial per case and agent; its line is written as soon as it is there. What an earlier call has finished is not run again. */
export function capturePlan(out: ResultFile): TrialPlan {
  const begun = new Set(out.finished.map(({ id, agent }) => keyOf(id, agent)));
  return {
    perCase: 1,
    next({ id }, _, { label }) {
      const key = keyOf(id, label);
      if (begun.has(key)) return undefined;
      begun.add(key);
      return 1;
    },
    accept: (_, __, ___, ____, { line }) => out.append(line),
  };
}

/** Ids are any text: a separator that no id can hold. */
export function keyOf(id: string, agent: string): string {
  return `${agent}\n${id}`;
}
