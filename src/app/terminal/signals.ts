import { constants } from "node:os";
import { whenReaderLeaves } from "./reader.ts";

const ASKED_TO_STOP = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Calls `onSignal` for every signal that asks to stop, and with SIGPIPE when the reader leaves. `done` returns the exit code of the first one, if any. */
export function onStopSignals(onSignal: (signal: NodeJS.Signals, count: number) => void): { done(): number | undefined } {
  let first: NodeJS.Signals | undefined;
  let count = 0;
  const listener = (signal: NodeJS.Signals) => {
    first ??= signal;
    onSignal(signal, ++count);
  };
  for (const signal of ASKED_TO_STOP) process.on(signal, listener); // with `once`, the second signal would kill this process and orphan the agent
  whenReaderLeaves(() => listener("SIGPIPE"));
  return {
    done() {
      whenReaderLeaves(undefined);
      for (const signal of ASKED_TO_STOP) process.off(signal, listener);
      return first === undefined ? undefined : 128 + constants.signals[first];
    },
  };
}
