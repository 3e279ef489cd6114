import { lineDiff } from "../../src/pure/base/index.ts";
import type { Step } from "./steps.ts";

/** Two steps shown side by side, or one alone. */
export interface Pair {
  readonly a: Step | undefined;
  readonly b: Step | undefined;
  /** `alike`: steps of the same kind that differ. */
  readonly state: "same" | "alike" | "alone";
}

type Signatures = ReadonlyMap<number, string> | undefined;

/** Aligns two runs: first the identical steps, then steps of the same kind between them. */
export function align(a: readonly Step[], b: readonly Step[], ofA?: Signatures, ofB?: Signatures): readonly Pair[] {
  if (ofA === undefined || ofB === undefined) return byKind(a, b);
  const key = (step: Step, known: ReadonlyMap<number, string>, side: string) => known.get(step.seq) ?? `${side}${step.seq}`;
  const pairs: Pair[] = [];
  walk(
    a.map((step) => key(step, ofA, "a")),
    b.map((step) => key(step, ofB, "b")),
    (i, j) => pairs.push({ a: a[i], b: b[j], state: "same" }),
    (region) => pairs.push(...byKind(a.slice(region.a, region.aEnd), b.slice(region.b, region.bEnd))),
  );
  return pairs;
}

function byKind(a: readonly Step[], b: readonly Step[]): readonly Pair[] {
  const pairs: Pair[] = [];
  walk(
    a.map(({ kind }) => kind),
    b.map(({ kind }) => kind),
    (i, j) => pairs.push({ a: a[i], b: b[j], state: "alike" }),
    (region) => {
      for (let i = region.a; i < region.aEnd; i++) pairs.push({ a: a[i], b: undefined, state: "alone" });
      for (let j = region.b; j < region.bEnd; j++) pairs.push({ a: undefined, b: b[j], state: "alone" });
    },
  );
  return pairs;
}

function walk(
  a: readonly string[],
  b: readonly string[],
  both: (i: number, j: number) => void,
  between: (region: ReturnType<typeof lineDiff>[number]) => void,
): void {
  let i = 0;
  let j = 0;
  for (const region of lineDiff(a, b)) {
    while (i < region.a) both(i++, j++);
    between(region);
    i = region.aEnd;
    j = region.bEnd;
  }
  while (i < a.length) both(i++, j++);
}
