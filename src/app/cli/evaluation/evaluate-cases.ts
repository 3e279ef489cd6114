import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { anyPartner } from "../../../pure/agents/index.ts";
import { dollars, HarnessError } from "../../../pure/base/index.ts";
import type { EntrantEntry, Evaluation, EvaluationOptions } from "../../../work/evaluate/index.ts";
import { say, setExitCode, standardInput } from "../../terminal/index.ts";
import { type EvaluationFlags, runOptionsOf } from "../options/index.ts";
import { evaluationProgress } from "./evaluation-progress.ts";
import { graderOptionsOf } from "./grader-options-of.ts";
import { outputOf } from "./output-of.ts";
import { withStopSignals } from "./with-stop-signals.ts";

const FAILED = 1;

/** Has it evaluated as the flags ask for, shows how it goes, and says how it went. */
export async function evaluateCases<Result extends object>(
  prompts: string,
  words: readonly string[],
  flags: EvaluationFlags,
  evaluate: (options: EvaluationOptions<Result>) => Promise<Evaluation<Result>>,
): Promise<void> {
  if (words.length > 0 && flags.agent.length > 0)
    throw new HarnessError("usage", `Give an agent's command or --agent, and not both: ${words[0]} is not an option.`);
  await withStopSignals(async (signal) => {
    const spool = prompts === "-" ? await spooled() : undefined;
    const progress = evaluationProgress(flags.progress === true);
    try {
      const { concurrency, maxCost: maxCostUsd, retryInfrastructure: retries, timeout: timeoutMs } = flags;
      const { workspace, cwd, home, only, where, sample, seed, allowMixed } = flags;
      const end = await evaluate({
        cases: spool ?? prompts,
        agents: await entriesOf(flags, words),
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
        signal,
        onProgress: progress.show,
      });
      if (end.stopped !== "cost") return;
      say(`the agents have reported ${dollars(end.costUsd)}, so that nothing more was started; --append goes on`);
      setExitCode(FAILED);
    } finally {
      progress.end(); // its clocks would go on
      if (spool !== undefined) rmSync(dirname(spool), { recursive: true, force: true });
    }
  });
}

async function entriesOf(
  { agent: names, timeout: _, cwd: __, ...flags }: EvaluationFlags,
  words: readonly string[],
): Promise<EntrantEntry[]> {
  const entries: EntrantEntry[] = [];
  for (const agent of names.length > 0 ? names : [words.length > 0 ? anyPartner.id : undefined])
    entries.push((await runOptionsOf({ ...flags, agent }, words.map(absolute))).options);
  return entries;
}

/** A file that is named from here; the agent is started somewhere else. */
function absolute(word: string): string {
  return word.includes("/") && !word.startsWith("/") && existsSync(word) ? resolve(word) : word;
}

/** A data set is read twice: once to check all of it, and then case by case. */
async function spooled(): Promise<string> {
  const path = join(mkdtempSync(join(tmpdir(), "harness-prompts-")), "standard-input");
  writeFileSync(path, "", { mode: 0o600 });
  for await (const chunk of standardInput()) writeFileSync(path, chunk, { flag: "a" });
  return path;
}
