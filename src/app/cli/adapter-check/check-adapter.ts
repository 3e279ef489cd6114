import { existsSync, readFileSync } from "node:fs";
import colors from "picocolors";
import { planRun, runPaths, startRun } from "../../../host/recording/index.ts";
import { anyPartner } from "../../../pure/agents/index.ts";
import { errorWords, printable } from "../../../pure/base/index.ts";
import { result } from "../../../pure/views/index.ts";
import { type AdapterCheck, judgeConversation } from "../../../work/evaluate/index.ts";
import { inTerminal, say, setExitCode, write } from "../../terminal/index.ts";

export interface AdapterCheckFlags {
  readonly prompt: string;
  readonly timeout: number;
  readonly json?: true;
}

/** `harness adapter:check`: an ordinary recorded run, of which the recording is judged. */
export async function checkAdapter(words: readonly string[], { prompt, timeout, json }: AdapterCheckFlags): Promise<void> {
  const call = { agent: anyPartner, prompt, extraArgs: words, timeoutMs: timeout, tags: ["adapter-check"] };
  const live = await startRun(planRun(call), call, result);
  const problem = await live.sealed.then(
    () => undefined,
    (error: unknown) => errorWords(error),
  );
  const seal = problem === undefined ? await live.sealed : undefined;
  const paths = runPaths(live.directory);
  const checks = judgeConversation({
    ours: linesOf(paths.client),
    theirs: linesOf(paths.stdout),
    status: seal?.status ?? null,
    exitCode: seal?.exitCode ?? null,
    ...(problem === undefined ? {} : { unstarted: problem }),
  });
  const asJson = json ?? !inTerminal();
  for (const check of checks) await write(asJson ? `${JSON.stringify(check)}\n` : shown(check));
  say(`recorded as ${live.id}`);
  if (checks.some(({ ok }) => ok === false)) setExitCode(1);
}

function shown({ id, ok, detail }: AdapterCheck): string {
  const mark = ok === null ? colors.dim("–") : ok ? colors.green("✓") : colors.red("✗");
  return `${mark} ${id.padEnd(16)} ${printable(detail)}\n`;
}

function linesOf(path: string): readonly string[] {
  return existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
}
