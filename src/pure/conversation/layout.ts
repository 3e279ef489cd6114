import type { Link, Step } from "./step.ts";

export interface Placed {
  readonly step: Step;
  /** The layer, from the top: a step is below everything that led to it. */
  readonly row: number;
  /** The column: a run keeps its own, to the right of the run that started it. */
  readonly lane: number;
}

export interface Line {
  readonly kind: Link["kind"];
  readonly from: Placed;
  readonly to: Placed;
}

export interface Layout {
  readonly places: readonly Placed[];
  readonly lines: readonly Line[];
  readonly rows: number;
  readonly lanes: number;
}

/** Assigns layers by the longest path, and to each run the first lane that is free for its whole length. */
export function layout(steps: readonly Step[]): Layout {
  const rows = new Map<string, number>();
  const spans = new Map<string, { first: number; last: number; parent: string | undefined }>();
  const byId = new Map(steps.map((step) => [step.id, step]));
  for (const step of steps) {
    const row = step.from.reduce((most, { id }) => Math.max(most, rows.get(id) ?? -1), -1) + 1;
    rows.set(step.id, row);
    const span = spans.get(step.run);
    const branch = step.from.find(({ kind }) => kind === "branch");
    if (span === undefined) spans.set(step.run, { first: row, last: row, parent: byId.get(branch?.id ?? "")?.run });
    else span.last = Math.max(span.last, row);
  }
  const lanes = lanesOf(spans);
  const places = new Map(steps.map((step) => [step.id, { step, row: rows.get(step.id) ?? 0, lane: lanes.get(step.run) ?? 0 }]));
  const lines = steps.flatMap((step) =>
    step.from.flatMap(({ id, kind }) => {
      const from = places.get(id);
      const to = places.get(step.id);
      return from === undefined || to === undefined ? [] : [{ kind, from, to }];
    }),
  );
  return {
    places: [...places.values()],
    lines,
    rows: countOf(rows.values()),
    lanes: countOf(lanes.values()),
  };
}

function lanesOf(spans: ReadonlyMap<string, { first: number; last: number; parent: string | undefined }>): Map<string, number> {
  const lanes = new Map<string, number>();
  const taken: { first: number; last: number }[][] = [];
  for (const [run, { first, last, parent }] of spans) {
    let lane = parent === undefined ? 0 : (lanes.get(parent) ?? 0) + 1;
    // Keep one empty row on both sides, so that the line to a run does not touch the previous run in its lane.
    while (taken[lane]?.some((span) => first - 1 <= span.last && span.first - 1 <= last)) lane++;
    taken[lane] ??= [];
    taken[lane]?.push({ first, last });
    lanes.set(run, lane);
  }
  return lanes;
}

function countOf(numbers: Iterable<number>): number {
  let most = 0;
  for (const number of numbers) most = Math.max(most, number);
  return most + 1;
}
