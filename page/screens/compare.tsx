import { useEffect, useMemo, useState } from "preact/hooks";
import { counted } from "../../src/pure/base/index.ts";
import type { RunRow } from "../../src/pure/pipeline/index.ts";
import { align, Facts, MOST_STEPS, PairList, stepsOf, useSignatures } from "../compare/index.ts";
import { Failure, Notice } from "../parts/index.ts";
import { hrefOf, type Route } from "../router.ts";
import { askJson, serverRun } from "../source/index.ts";
import { type TimelineState, useTimeline } from "../timeline/index.ts";
import type { Screen } from "./screen.ts";

export const compareScreen: Screen = { id: "compare", Component: Compare };

/** The most runs in one comparison. */
const MOST_OTHERS = 6;

function Compare({ route: [, a, b, ...more] }: { readonly route: Route }) {
  if (a === undefined || b === undefined) {
    return (
      <Notice title="Choose two runs" next={{ label: "All runs", href: hrefOf("runs") }}>
        Tick two runs in the list to compare them step by step.
      </Notice>
    );
  }
  return <Both key={`${a}/${b}`} a={a} b={b} others={more} />;
}

function Both({ a, b, others }: { readonly a: string; readonly b: string; readonly others: readonly string[] }) {
  const ofA = useMemo(() => serverRun(a), [a]);
  const ofB = useMemo(() => serverRun(b), [b]);
  const one = useTimeline(ofA);
  const other = useTimeline(ofB);
  const more = useRows(others);
  const [only, setOnly] = useState(false);
  const stepsA = useSteps(one.state);
  const stepsB = useSteps(other.state);
  const signaturesA = useSignatures(ofA, stepsA, one.state?.page.row.cwd ?? null);
  const signaturesB = useSignatures(ofB, stepsB, other.state?.page.row.cwd ?? null);
  const pairs = useMemo(() => align(stepsA, stepsB, signaturesA, signaturesB), [stepsA, stepsB, signaturesA, signaturesB]);
  const shown = useMemo(() => (only ? pairs.filter(({ state }) => state !== "same") : pairs), [pairs, only]);
  const error = one.error ?? other.error;
  if (error !== undefined) return <Failure error={error} />;
  if (one.state === undefined || other.state === undefined) return <p class="waiting">Opening both runs …</p>;
  const isLong = Math.max(stepsA.length, stepsB.length) > MOST_STEPS;
  const isKnown = signaturesA !== undefined && signaturesB !== undefined;
  const inState = (state: string) => pairs.filter((pair) => pair.state === state).length;
  const aloneA = pairs.filter((pair) => pair.b === undefined).length;
  return (
    <div class="compare">
      <details class="compare-head" open>
        <summary>
          <h1>{more.length === 0 ? "Two runs" : `${2 + more.length} runs`}</h1>
        </summary>
        <Facts rows={[one.state.page.row, other.state.page.row, ...more]} />
      </details>
      <div class="line compare-bar">
        <p class="small" aria-live="polite">
          {isKnown
            ? `${counted(inState("same"), "step")} the same, ${inState("alike")} different, ${aloneA} only in A, ${inState("alone") - aloneA} only in B`
            : isLong
              ? `${counted(inState("alike"), "step")} of the same kind, ${aloneA} only in A, ${inState("alone") - aloneA} only in B (long runs are compared by kinds of steps only)`
              : "Comparing …"}
          {others.length > more.length && ` · ${others.length - more.length} more are not shown`}
        </p>
        <button type="button" class="chip" aria-pressed={only} onClick={() => setOnly(!only)}>
          Only differences
        </button>
      </div>
      {shown.length === 0 ? (
        <Notice title={pairs.length === 0 ? "No steps" : "No difference"} next={{ label: "All runs", href: hrefOf("runs") }}>
          {pairs.length === 0 ? "Neither run has a recorded step." : `All ${counted(pairs.length, "step")} are the same.`}
        </Notice>
      ) : (
        <PairList pairs={shown} a={{ id: a, source: ofA }} b={{ id: b, source: ofB }} />
      )}
    </div>
  );
}

/** The other chosen runs: only outcome and usage are shown. */
function useRows(ids: readonly string[]): readonly RunRow[] {
  const [rows, setRows] = useState<readonly RunRow[]>([]);
  const wanted = ids.slice(0, MOST_OTHERS).map(encodeURIComponent).join(",");
  useEffect(() => {
    let stopped = false;
    if (wanted === "") setRows([]);
    else
      askJson<{ readonly rows: readonly RunRow[] }>(`/api/runs?ids=${wanted}`).then(
        (found) => stopped || setRows(found.rows),
        () => {}, // the two main runs report the error
      );
    return () => {
      stopped = true;
    };
  }, [wanted]);
  return rows;
}

function useSteps(state: TimelineState | undefined) {
  return useMemo(() => (state === undefined ? [] : stepsOf(state.columns, state.count)), [state?.columns, state?.count, state?.log.done]);
}
