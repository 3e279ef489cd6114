import { type JsonObject, spelled } from "../../../pure/base/index.ts";
import { isFileBelow } from "../audit/index.ts";
import { musts } from "./contract.ts";
import { artifactsOf, diffOf } from "./must.ts";

/** Specification 003's checklist for minimal compliance. */
export interface Compliance {
  readonly minimal: boolean;
  /** What is missing, in a few words each. */
  readonly missing: readonly string[];
}

/** The requirements behind "unknown fields remain unknown". */
const KNOWN_ONLY = ["prompt-bundle", "prompt-bundle-hash", "tool_calls", "tool_results", "white-box", "black-box-output"];

/** `out` is the directory of the observation; without it, no artifact exists. `isContradicted`: the evidence contradicts what the events claim to know. */
export function complianceOf(events: readonly JsonObject[], out: string | undefined, isContradicted: boolean): Compliance {
  const breach = (id: string) => musts.find((must) => must.id === id)?.breach(events);
  if (breach("order") !== undefined) return { minimal: false, missing: ["the nine events in order"] };
  const exists = ({ content_ref: ref }: JsonObject) => out !== undefined && typeof ref === "string" && isFileBelow(out, ref);
  const captured = artifactsOf(events[4] ?? {});
  const diff = diffOf(events[5] ?? {});
  const outputs = ["stdout", "stderr"].filter((stream) => {
    const named = captured.filter(({ id }) => spelled(id).endsWith(`_${stream}.txt`));
    return named.length === 0 || !named.every(exists);
  });
  const missing = [
    ...(diff !== undefined && exists(diff) ? [] : ["fs_diff.patch"]),
    ...outputs.map((stream) => `the agent's ${stream}`),
    ...(breach("evaluation") === undefined && breach("checks") === undefined ? [] : ["statuses of the evaluation"]),
    ...(KNOWN_ONLY.every((id) => breach(id) === undefined) && !isContradicted ? [] : ["unknown fields that remain unknown"]),
  ];
  return { minimal: missing.length === 0, missing };
}

export const NOT_OBSERVED: Compliance = { minimal: false, missing: ["an observation"] };
