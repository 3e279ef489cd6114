import { useState } from "preact/hooks";
import { VirtualList } from "../list/index.ts";
import { hrefOf } from "../router.ts";
import type { RunSource } from "../source/index.ts";
import { EventBodyView, type Events, ToolCard, useEvents } from "../timeline/index.ts";
import type { Pair } from "./align.ts";
import type { Step } from "./steps.ts";

/** So many steps above and below the visible ones are fetched with them. */
const AHEAD = 20;

export interface Side {
  readonly id: string;
  readonly source: RunSource;
}

export function PairList({ pairs, a, b }: { readonly pairs: readonly Pair[]; readonly a: Side; readonly b: Side }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const ofA = useEvents(a.source);
  const ofB = useEvents(b.source);
  const seen = (first: number, last: number) => {
    const near = pairs.slice(Math.max(0, first - AHEAD), last + AHEAD);
    ofA.want(wantedOf(near.map((pair) => pair.a)));
    ofB.want(wantedOf(near.map((pair) => pair.b)));
  };
  const toggle = (key: string) => {
    const next = new Set(open);
    if (!next.delete(key)) next.add(key);
    setOpen(next);
  };
  return (
    <VirtualList
      label="Steps of both runs"
      class="pairs"
      count={pairs.length}
      version={pairs}
      keyOf={(i) => keyOf(pairs[i])}
      estimate={() => 56}
      onWindow={seen}
      item={(i) => {
        const pair = pairs[i];
        if (pair === undefined) return null;
        const isOpen = open.has(keyOf(pair));
        const step = (side: Side, events: Events, own: Step | undefined, letter: string) => (
          <StepCell side={side} events={events} step={own} letter={letter} isOpen={isOpen} toggle={() => toggle(keyOf(pair))} />
        );
        return (
          <article class={`pair ${pair.state}`} aria-posinset={i + 1} aria-setsize={pairs.length} aria-label={wordsOf(pair)}>
            {step(a, ofA, pair.a, "A")}
            <span class="sign" aria-hidden="true">
              {pair.state === "same" ? "=" : pair.state === "alike" ? "≠" : pair.a === undefined ? "+" : "−"}
            </span>
            {step(b, ofB, pair.b, "B")}
          </article>
        );
      }}
    />
  );
}

interface CellProps {
  readonly side: Side;
  readonly events: Events;
  readonly step: Step | undefined;
  readonly letter: string;
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

function StepCell({ side, events, step, letter, isOpen, toggle }: CellProps) {
  if (step === undefined) return <div class="step nothing" />;
  const event = events.get(step.seq);
  const end = step.end > 0 ? events.get(step.end) : undefined;
  return (
    <div class="step">
      <a class="at mono" href={hrefOf("runs", side.id, step.seq)} title={`Event ${step.seq} in the timeline of ${letter}`}>
        {letter} {step.seq}
      </a>
      <div class={`body is-${event?.type ?? "coming"}`}>
        {event === undefined ? (
          <p class="skeleton" />
        ) : event.type === "tool-start" ? (
          <ToolCard start={event} end={end?.type === "tool-end" ? end : undefined} hasEnd={step.end > 0} isOpen={isOpen} toggle={toggle} />
        ) : (
          <EventBodyView event={event} isOpen={isOpen} toggle={toggle} />
        )}
      </div>
    </div>
  );
}

function wordsOf({ a, state }: Pair): string {
  if (state === "same") return "the same in both";
  return state === "alike" ? "different" : a === undefined ? "only in B" : "only in A";
}

function keyOf(pair: Pair | undefined): string {
  return `${pair?.a?.seq ?? ""}-${pair?.b?.seq ?? ""}`;
}

function wantedOf(steps: readonly (Step | undefined)[]): readonly number[] {
  const wanted = steps.flatMap((step) => (step === undefined ? [] : step.end > 0 ? [step.seq, step.end] : [step.seq]));
  return [...new Set(wanted)].sort((a, b) => a - b);
}
