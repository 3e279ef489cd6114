import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { maskedLater, own, writeFile } from "../../../host/sink/index.ts";
import { anyPartner } from "../../../pure/agents/index.ts";
import { HarnessError } from "../../../pure/base/index.ts";
import type { EntrantEntry, Evaluation, EvaluationOptions } from "../../../work/evaluate/index.ts";
import { standardInput, watchReader } from "../../terminal/index.ts";
import { type EvaluationFlags, runOptionsOf } from "../options/index.ts";
import { followed } from "./followed.ts";
import { graderOptionsOf } from "./grader-options-of.ts";
import { outputOf } from "./output-of.ts";

export async function evaluateCases<Result extends object>(
  prompts: string,
  agentCommand: readonly string[],
  flags: EvaluationFlags,
  evaluate: (options: EvaluationOptions<Result>) => Promise<Evaluation<Result>>,
): Promise<void> {
  if (agentCommand.length > 0 && flags.agent.length > 0)
    throw new HarnessError("usage", `The command ${agentCommand[0]} and --agent cannot be combined. Remove one of them.`);
  if (flags.output === undefined) watchReader();
  await followed(flags, async (signal, onProgress) => {
    const spool = prompts === "-" ? await spooled() : undefined;
    try {
      const { concurrency, maxCost: maxCostUsd, retryInfrastructure: retries, timeout: timeoutMs } = flags;
      const { workspace, cwd, home, only, where, sample, seed, allowMixed, trustGrades, check, checkRefs, outOfTime, sign } = flags;
      return await evaluate({
        cases: spool ?? prompts,
        agents: await entriesOf(flags, agentCommand),
        ...(await graderOptionsOf(flags)),
        ...outputOf(flags),
        concurrency,
        maxCostUsd,
        retries,
        timeoutMs,
        workspace,
        cwd,
        home,
        only,
        where,
        sample,
        seed,
        allowMixed,
        trustGrades,
        check,
        checkRefs,
        outOfTime,
        sign,
        signal,
        onProgress,
      });
    } finally {
      if (spool !== undefined) rmSync(dirname(spool), { recursive: true, force: true });
    }
  });
}

async function entriesOf(
  { agent: names, timeout: _, cwd: __, ...flags }: EvaluationFlags,
  agentCommand: readonly string[],
): Promise<EntrantEntry[]> {
  const entries: EntrantEntry[] = [];
  for (const agent of names.length > 0 ? names : [agentCommand.length > 0 ? anyPartner.id : undefined])
    entries.push((await runOptionsOf({ ...flags, agent }, agentCommand.map(absolute))).options);
  return entries;
}

/** The agent starts in a different directory, so a relative path to a file becomes absolute. */
function absolute(arg: string): string {
  return arg.includes("/") && !arg.startsWith("/") && existsSync(arg) ? resolve(arg) : arg;
}

/** Saves standard input to a file, because a data set is read twice: to check it, and case by case. */
async function spooled(): Promise<string> {
  const path = join(mkdtempSync(join(tmpdir(), "harness-prompts-")), "standard-input");
  writeFile(path, own``, { mode: 0o600 });
  for await (const chunk of standardInput()) writeFile(path, maskedLater(chunk), { flag: "a" });
  return path;
}
