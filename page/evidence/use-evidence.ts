import { useEffect, useState } from "preact/hooks";
import type { ObservedType } from "../../src/core/observation.ts";
import { eventsOfLog } from "../../src/timeline/events-of-log.ts";
import { kindNumber } from "../../src/timeline/timeline-row.ts";
import { type Truth, truth } from "../../src/views/truth.ts";
import { allEvents } from "../source/all-events.ts";
import type { PageEvent, RunSource } from "../source/run-source.ts";
import { MOST } from "../source/use-all-events.ts";
import type { TimelineState } from "../timeline/use-timeline.ts";
import { type PatchFile, patchFiles } from "./patch-files.ts";

type Observed<T extends ObservedType> = Extract<PageEvent, { readonly type: T }>;

export interface Evidence {
  readonly of: <T extends ObservedType>(type: T) => readonly Observed<T>[];
  readonly patch: readonly PatchFile[];
  /** So many characters of the patch are here. */
  readonly patchLength: number;
  /** Undefined where the run is too long to be judged here, or is not over. */
  readonly truth: Truth | undefined;
}

/** Commands beyond these are in the log. */
const MOST_FACTS = 3000;

const types = [
  "observation",
  "workspace-prepared",
  "process-observed",
  "files-changed",
  "command-observed",
  "commands-observed",
  "check",
  "evaluation",
] as const satisfies readonly ObservedType[];
const wanted: ReadonlySet<number> = new Set(types.map(kindNumber));

/** Everything that is known of a run from outside its agent; `undefined` until it is read. */
export function useEvidence(source: RunSource, state: TimelineState): { readonly evidence?: Evidence; readonly error?: unknown } {
  const [evidence, setEvidence] = useState<Evidence>();
  const [error, setError] = useState<unknown>();
  const isReady = state.count === state.log.count;
  useEffect(() => {
    let isWanted = true;
    if (isReady) {
      read(source, state, () => isWanted).then(
        (found) => isWanted && setEvidence(found),
        (problem: unknown) => isWanted && setError(problem),
      );
    }
    return () => {
      isWanted = false;
    };
  }, [source, isReady, state.log.done]);
  return { ...(evidence && { evidence }), ...(error !== undefined && { error }) };
}

async function read(source: RunSource, { columns, count, log }: TimelineState, isWanted: () => boolean): Promise<Evidence> {
  const seqs: number[] = [];
  for (let i = 0; i < count && seqs.length < MOST_FACTS; i++) if (wanted.has(columns.kind[i] ?? 0)) seqs.push(i + 1);
  const facts = seqs.length === 0 ? [] : await source.events(seqs);
  const of = <T extends ObservedType>(type: T) => facts.filter((fact): fact is Observed<T> => fact.type === type);
  const text = of("files-changed").some(({ patch }) => patch !== undefined) ? await source.patch() : "";
  const isJudged = seqs.length > 0 && log.done && count <= MOST;
  return {
    of,
    patch: patchFiles(text),
    patchLength: text.length,
    truth: isJudged ? truthOf(await allEvents(source, count, isWanted)) : undefined,
  };
}

function truthOf(events: readonly PageEvent[]): Truth | undefined {
  const eventOf = eventsOfLog();
  const projection = truth.open({});
  return [...events.flatMap((event) => projection.push(eventOf(event))), ...projection.end()].at(-1);
}
