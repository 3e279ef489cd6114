import { existsSync } from "node:fs";
import { planRun } from "../../host/recording/index.ts";
import { findSecrets, maskText } from "../../host/secrets/index.ts";
import { templateSource } from "../../host/workspace/index.ts";
import { shellLine } from "../../pure/base/index.ts";
import { totalTokens } from "../../pure/events/index.ts";
import { workspaceOf } from "./cases/index.ts";
import { sideFold } from "./compare/index.ts";
import type { EvaluateOptions } from "./evaluate.ts";
import { checkedStart } from "./evaluation.ts";
import { readResults } from "./results/index.ts";
import { openTrialHost } from "./running/index.ts";
import { agentIn, localCode, runOptionsOf } from "./trial/index.ts";

/** What an evaluation would run. */
export interface EvaluationPlan {
  readonly cases: number;
  readonly trials: number;
  readonly sides: readonly SidePlan[];
}

interface SidePlan {
  readonly side: string;
  readonly version: string | null;
  readonly trials: number;
  /** With the prompt of the first case, and without the values of secrets. */
  readonly command: string;
  /** The names of the variables it gets. */
  readonly variables: readonly string[];
  /** What is laid over the workspace or left out of it. */
  readonly layers: readonly string[];
  /** Of all its trials, estimated; null if nothing is known. */
  readonly tokens: number | null;
  readonly costUsd: number | null;
  readonly basis: string;
}

/** Checks everything, and runs nothing. Tokens and cost are those of earlier trials of the same side, if the output has some. */
export async function planEvaluation(options: EvaluateOptions): Promise<EvaluationPlan> {
  const code = localCode();
  const host = openTrialHost({ code, dataDirectory: options.dataDirectory });
  const { chosen, entrants } = await checkedStart(options, host, code).finally(() => host.close());
  const { cases, places, workspace } = chosen;
  const workspaces = new Set(places.map((place) => workspaceOf(cases.read(place).workspace ?? workspace, cases)));
  for (const each of workspaces) if (each !== undefined) templateSource(each); // throws if there is none
  const k = options.untilPrecise === undefined ? (options.k ?? 1) : (options.maxK ?? 50);
  const [first] = places;
  const row = first && cases.read(first);
  const prompt = row === undefined ? "?" : typeof row.input === "string" ? row.input : (row.input[0] ?? "?");
  const earlier = earlierOf(options.output);
  const sides: SidePlan[] = [];
  for (const { entrant, details } of entrants) {
    const agent = await agentIn(code, entrant.agent);
    const plan = planRun({ ...runOptionsOf(entrant.settings, code), agent, prompt });
    const line = shellLine([plan.binary, ...plan.args].map((arg) => maskText(arg, findSecrets(plan.secrets))));
    const trials = places.length * k;
    const known = earlier.get(entrant.label);
    const scale = (sum: number | null) =>
      sum === null || known === undefined ? null : Math.round((sum / known.trials) * trials * 1e6) / 1e6;
    const used = known && totalTokens(known.tokens);
    sides.push({
      side: entrant.label,
      version: details.agentVersion,
      trials,
      command: plan.promptBy === "stdin" ? `${line} < prompt` : line,
      variables: plan.environment.set,
      layers: details.layers ?? [],
      tokens: used === undefined ? null : scale(used),
      costUsd: known === undefined ? null : scale(known.costUsd),
      basis: known === undefined ? "no earlier trials" : `from ${known.trials} earlier ${known.trials === 1 ? "trial" : "trials"}`,
    });
  }
  return { cases: places.length, trials: sides.reduce((sum, { trials }) => sum + trials, 0), sides };
}

function earlierOf(output: EvaluateOptions["output"]) {
  if (typeof output !== "string" || !existsSync(output)) return new Map<string, never>();
  const fold = sideFold(output);
  for (const { line } of readResults(output)) fold.add({ ...line, model: undefined, metadata: {} });
  return new Map(fold.sides().map((side) => [side.label, side]));
}
