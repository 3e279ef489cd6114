import { useEffect, useState } from "preact/hooks";
import { gitPatch, type PatchFile } from "../../src/pure/base/index.ts";
import { eventReader, type ObservedType } from "../../src/pure/events/index.ts";
import { kindNumber } from "../../src/pure/timeline/index.ts";
import { type Truth, truth } from "../../src/pure/views/index.ts";
import { eachEvent, type PageEvent, type RunSource } from "../source/index.ts";
import type { TimelineState } from "../timeline/index.ts";

type Observed<T extends ObservedType> = Extract<PageEvent, { readonly type: T }>;

export interface Evidence {
  readonly of: <T extends ObservedType>(type: T) => readonly Observed<T>[];
  readonly patch: readonly PatchFile[];
  /** How many characters of the patch are loaded. */
  readonly patchLength: number;
  /** Undefined until the run has ended and was read completely. */
  readonly truth: Truth | undefined;
}

/** The most commands shown; the log has all. */
const MOST_FACTS = 3000;
/** Progress is reported every so many events. */
const SOON = 5000;

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

/** Everything observed from outside the agent; `undefined` until it is read. */
export function useEvidence(source: RunSource, state: TimelineState): { readonly evidence?: Evidence; readonly error?: unknown } {
  const [evidence, setEvidence] = useState<Evidence>();
  const [error, setError] = useState<unknown>();
  const isReady = state.count === state.log.count;
  useEffect(() => {
    let isWanted = true;
    if (isReady) {
      const publish = (found: Evidence) => isWanted && setEvidence(found);
      read(source, state, () => isWanted, publish).catch((problem: unknown) => isWanted && setError(problem));
    }
    return () => {
      isWanted = false;
    };
  }, [source, isReady, state.log.done]);
  return { ...(evidence && { evidence }), ...(error !== undefined && { error }) };
}

/** Observations come first; the verdict on a long run takes a while. */
async function read(
  source: RunSource,
  { columns, count, log, page }: TimelineState,
  isWanted: () => boolean,
  publish: (evidence: Evidence) => void,
): Promise<void> {
  const seqs: number[] = [];
  for (let i = 0; i < count && seqs.length < MOST_FACTS; i++) if (wanted.has(columns.kind[i] ?? 0)) seqs.push(i + 1);
  const facts = seqs.length === 0 ? [] : await source.events(seqs);
  const of = <T extends ObservedType>(type: T) => facts.filter((fact): fact is Observed<T> => fact.type === type);
  const text = of("files-changed").some(({ patch }) => patch !== undefined) ? await source.patch() : "";
  const known = { of, patch: gitPatch(text), patchLength: text.length, truth: undefined };
  if (seqs.length === 0 || !log.done || page.part !== undefined) return publish(known);
  if (count > SOON) publish(known);
  const judged = await truthOf(source, count, isWanted);
  if (isWanted()) publish({ ...known, truth: judged });
}

async function truthOf(source: RunSource, count: number, isWanted: () => boolean): Promise<Truth | undefined> {
  const eventOf = eventReader();
  const projection = truth.open({});
  let last: Truth | undefined;
  for await (const events of eachEvent(source, 1, count)) {
    if (!isWanted()) return undefined;
    for (const event of events) last = projection.push(eventOf(event)).at(-1) ?? last;
  }
  return projection.end().at(-1) ?? last;
}
