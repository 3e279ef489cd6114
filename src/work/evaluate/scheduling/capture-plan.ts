import type { JsonObject } from "../../../pure/base/index.ts";
import type { ResultFile } from "../results/index.ts";
import { keptIn, keyOf, type TrialPlan } from "./trial-plan.ts";

/** One trial per case and agent; its line is written as soon as it finishes. Skips what an earlier call has finished. */
export function capturePlan(out: ResultFile): TrialPlan {
  const begun = new Set(out.finished.map(keyOf));
  return {
    perCase: 1,
    next({ case: { id }, entrant: { label } }) {
      const key = keyOf({ id, agent: label });
      if (begun.has(key)) return undefined;
      begun.add(key);
      return 1;
    },
    accept: (_, result) => out.append(result),
    reopen: (work) => void begun.delete(keyOf(work)),
  };
}

/** A capture that never reached a model or was lost runs again; any other is complete. */
export function openCapture(line: JsonObject): number | undefined {
  return keptIn(line).length === 0 ? 0 : undefined;
}
