import { useEffect, useState } from "preact/hooks";
import type { PageEvent, RunSource } from "../source/index.ts";
import { signatureOf } from "./signature.ts";
import type { Step } from "./steps.ts";

/** In longer runs, only the kinds of steps are compared. */
export const MOST_STEPS = 10_000;
const AT_A_TIME = 250;

/** The signature of every step; the steps themselves are not kept. Undefined until all are known. */
export function useSignatures(source: RunSource, steps: readonly Step[], cwd: string | null): ReadonlyMap<number, string> | undefined {
  const [state, setState] = useState<ReadonlyMap<number, string>>();
  useEffect(() => {
    let stopped = false;
    setState(undefined);
    if (steps.length <= MOST_STEPS)
      signatures(source, steps, cwd, () => stopped).then(
        (known) => stopped || setState(known),
        () => {}, // the server is down; steps of one kind are still aligned
      );
    return () => {
      stopped = true;
    };
  }, [source, steps, cwd]);
  return state;
}

async function signatures(source: RunSource, steps: readonly Step[], cwd: string | null, isStopped: () => boolean) {
  const known = new Map<number, string>();
  for (let at = 0; at < steps.length && !isStopped(); at += AT_A_TIME) {
    const some = steps.slice(at, at + AT_A_TIME);
    const wanted = [...new Set(some.flatMap(({ seq, end }) => (end > 0 ? [seq, end] : [seq])))].sort((a, b) => a - b);
    const events = new Map<number, PageEvent>();
    for (const event of await source.events(wanted)) events.set(event.seq, event);
    for (const { seq, end } of some) {
      const event = events.get(seq);
      if (event !== undefined) known.set(seq, signatureOf(event, events.get(end), cwd));
    }
  }
  return known;
}
