import { count, described, list, nullable, number, object, optional, type Static, text } from "../../../pure/base/index.ts";
import { partialCost, partialUsage, sumUsed, tokens, type Used } from "../../../pure/events/index.ts";

/** What it took to ask a judge. */
export const judging = object({
  judge: text,
  attempts: described(count, "Requests, including those that failed"),
  rejected: optional(count, "Attempts that the provider rejected: they used nothing"),
  runs: described(list(text), "The recorded runs of the judge, one per attempt"),
  usage: described(tokens, "Of all attempts. What the judge reports of a part is in partialUsage"),
  cost: described(nullable(number), "Of all attempts: US dollars, as the judge reports them"),
  partialUsage: optional(partialUsage, "If some attempts do not report what they used"),
  partialCost: optional(partialCost, "If some attempts do not report what they cost"),
});
export type Judging = Static<typeof judging>;

/** The attempts of one judge together. Those that used nothing are not in `used`. */
export function judgingOf(judge: string, attempts: number, runs: readonly string[], used: readonly Used[]): Judging {
  return summed({ judge, attempts, rejected: attempts - used.length, runs }, used);
}

/** Undefined if no judge was asked. */
export function sumJudging(all: readonly (Judging | undefined)[]): Judging | undefined {
  const known = all.filter((each) => each !== undefined);
  const total = (count: (each: Judging) => number) => known.reduce((sum, each) => sum + count(each), 0);
  const about = {
    judge: [...new Set(known.map(({ judge }) => judge))].join(", "),
    attempts: total(({ attempts }) => attempts),
    rejected: total(({ rejected = 0 }) => rejected),
    runs: known.flatMap(({ runs }) => runs),
  };
  return known.length === 0 ? undefined : summed(about, known.flatMap(usedBy));
}

/** What the attempts used; nothing, which is not unknown, if all were rejected. */
export function usedBy({ attempts, rejected = 0, usage, cost, partialUsage: part, partialCost: costPart }: Judging): Used[] {
  const used = { usage, costUsd: cost, ...(part && { partialUsage: part }), ...(costPart && { partialCost: costPart }) };
  return rejected < attempts ? [used] : [];
}

function summed(
  { rejected, runs, ...about }: Pick<Judging, "judge" | "attempts" | "runs"> & { readonly rejected: number },
  used: readonly Used[],
): Judging {
  const { usage, costUsd, ...parts } = sumUsed(used);
  return { ...about, ...(rejected > 0 && { rejected }), runs: [...runs], usage, cost: costUsd, ...parts };
}
