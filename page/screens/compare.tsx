import { useMemo, useState } from "preact/hooks";
import { align } from "../compare/align.ts";
import { Facts } from "../compare/facts.tsx";
import { PairList } from "../compare/pair-list.tsx";
import { stepsOf } from "../compare/steps.ts";
import { MOST_STEPS, useSignatures } from "../compare/use-signatures.ts";
import { plural } from "../parts/amounts.ts";
import { Failure } from "../parts/failure.tsx";
import { Notice } from "../parts/notice.tsx";
import { hrefOf, type Route } from "../router.ts";
import { serverRun } from "../source/server-run.ts";
import { type TimelineState, useTimeline } from "../timeline/use-timeline.ts";
import type { Screen } from "./screen.ts";

export const compareScreen: Screen = { id: "compare", Component: Compare };

function Compare({ route: [, a, b, ...more] }: { readonly route: Route }) {
  if (a === undefined || b === undefined) {
    return (
      <Notice title="Choose two runs" next={{ words: "All runs", href: hrefOf("runs") }}>
        Tick two of them in the list, and compare what their agents did, step by step.
      </Notice>
    );
  }
  return <Both key={`${a}/${b}`} a={a} b={b} left={more.length} />;
}

function Both({ a, b, left }: { readonly a: string; readonly b: string; readonly left: number }) {
  const ofA = useMemo(() => serverRun(a), [a]);
  const ofB = useMemo(() => serverRun(b), [b]);
  const one = useTimeline(ofA);
  const other = useTimeline(ofB);
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
  const counted = (state: string) => pairs.filter((pair) => pair.state === state).length;
  const aloneA = pairs.filter((pair) => pair.b === undefined).length;
  return (
    <div class="compare">
      <details class="compare-head" open>
        <summary>
          <h1>Two runs</h1>
        </summary>
        <Facts a={one.state.page.row} b={other.state.page.row} />
      </details>
      <div class="line compare-bar">
        <p class="small" aria-live="polite">
          {isKnown
            ? `${plural(counted("same"), "step")} the same, ${counted("alike")} different, ${aloneA} only in A, ${counted("alone") - aloneA} only in B`
            : isLong
              ? `${plural(counted("alike"), "step")} of the same kind, ${aloneA} only in A, ${counted("alone") - aloneA} only in B: such long runs are compared by the kinds of their steps`
              : "Comparing …"}
          {left > 0 && ` · of those that were chosen, the first two are compared`}
        </p>
        <button type="button" class="chip" aria-pressed={only} onClick={() => setOnly(!only)}>
          Only differences
        </button>
      </div>
      {shown.length === 0 ? (
        <Notice title={pairs.length === 0 ? "Neither did anything" : "No difference"} next={{ words: "All runs", href: hrefOf("runs") }}>
          {pairs.length === 0 ? "No step of either was recorded." : `All ${plural(pairs.length, "step")} are the same.`}
        </Notice>
      ) : (
        <PairList pairs={shown} a={{ id: a, source: ofA }} b={{ id: b, source: ofB }} />
      )}
    </div>
  );
}

function useSteps(state: TimelineState | undefined) {
  return useMemo(() => (state === undefined ? [] : stepsOf(state.columns, state.count)), [state?.columns, state?.count, state?.log.done]);
}
