import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { planRun, type RunOptions, runPaths, startRun } from "../../../host/recording/index.ts";
import { log } from "../../../pure/views/index.ts";
import { onStopSignals } from "../../terminal/index.ts";

export interface TriedRun {
  readonly output: Uint8Array;
  readonly status: string | null;
  readonly reason: string | null;
  readonly exitCode: number | null;
  /** The last line of its standard error. */
  readonly lastWords: string | null;
}

const LONGEST_LINE = 300;

/** Runs the agent as usual, by default in an empty directory, and deletes the recording. */
export async function tryRun(options: RunOptions): Promise<TriedRun> {
  const root = mkdtempSync(join(tmpdir(), "harness-check-"));
  const workspace = join(root, "workspace");
  mkdirSync(workspace);
  try {
    const call = { ...options, cwd: options.cwd ?? workspace, dataDirectory: join(root, "data") };
    const live = await startRun(planRun(call), call, log);
    const signals = onStopSignals(() => live.cancel());
    try {
      for await (const _ of live.batches());
      const { status, reason, exitCode } = await live.sealed;
      const { stdout, stderr } = runPaths(live.directory);
      const lastWords = readFileSync(stderr, "utf8").trimEnd().split("\n").at(-1)?.slice(0, LONGEST_LINE) || null;
      return { output: readFileSync(stdout), status, reason, exitCode, lastWords };
    } finally {
      signals.done();
    }
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
}
