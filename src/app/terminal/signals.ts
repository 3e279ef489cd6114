import { constants } from "node:os";

const ASKED_TO_STOP = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Tells of every signal that asks us to stop, the first and those after it. `done` answers with the exit code it makes, if one came. */
export function onStopSignals(told: (signal: NodeJS.Signals, count: number) => void): { done(): number | undefined } {
  let first: NodeJS.Signals | undefined;
  let count = 0;
  const listener = (signal: NodeJS.Signals) => {
    first ??= signal;
    told(signal, ++count);
  };
  for (const signal of ASKED_TO_STOP) process.on(signal, listener); // `once` would let the second one kill us, and orphan the agent
  return {
    done() {
      for (const signal of ASKED_TO_STOP) process.off(signal, listener);
      return first === undefined ? undefined : 128 + constants.signals[first];
    },
  };
}
