import { dollars, printable, whole } from "../../../pure/base/index.ts";
import { type EvaluateOptions, planEvaluation } from "../../../work/evaluate/index.ts";
import { inTerminal, write } from "../../terminal/index.ts";
import { columns } from "../options/index.ts";

/** Shows what an evaluation would run. Variables appear by name only. */
export async function printPlan(options: EvaluateOptions, json: boolean): Promise<void> {
  const plan = await planEvaluation(options);
  if (json || !inTerminal()) return write(`${JSON.stringify(plan)}\n`);
  for (const { side, version, trials, command, variables, layers, tokens, costUsd, basis } of plan.sides) {
    const rows: readonly (readonly [string, string])[] = [
      ["side", side],
      ["version", version ?? "–"],
      ["trials", whole(trials)],
      ["command", command],
      ["set", variables.join(", ") || "–"],
      ["workspace", layers.join(", ") || "unchanged"],
      ["tokens", tokens === null ? "unknown" : `about ${whole(tokens)}, ${basis}`],
      ["cost", costUsd === null ? "unknown" : `about ${dollars(costUsd)}, ${basis}`],
    ];
    await write(
      `${columns(rows)
        .map((line) => printable(line))
        .join("\n")}\n\n`,
    );
  }
  await write(`${whole(plan.cases)} cases, ${whole(plan.trials)} trials. Nothing was run.\n`);
}
