import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onStopSignals, setExitCode } from "../../terminal/index.ts";

/** Does work that needs a folder for a while. A signal aborts it, and the exit code is then that of the signal. */
export async function withScratch(name: string, work: (folder: string, stop: AbortController) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), `harness-${name}-`));
  const stop = new AbortController();
  const signals = onStopSignals(() => stop.abort());
  try {
    await work(folder, stop);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    const bySignal = signals.done();
    if (bySignal !== undefined) setExitCode(bySignal);
  }
}
