import { onStopSignals, setExitCode } from "../../terminal/index.ts";

/** Runs work that a signal aborts, and sets the exit code of the signal. */
export async function withStopSignals(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const signals = onStopSignals(() => stop.abort());
  try {
    await work(stop.signal);
  } finally {
    const bySignal = signals.done();
    if (bySignal !== undefined) setExitCode(bySignal);
  }
}
