import { useEffect, useState } from "preact/hooks";
import type { Tokens } from "../../src/core/tokens.ts";
import { kindNumber } from "../../src/timeline/timeline-row.ts";
import { count, dollars, totalTokens } from "../parts/amounts.ts";
import type { PageEvent, RunSource } from "../source/run-source.ts";
import type { Columns } from "../timeline/columns.ts";
import { Frame, type Scale } from "./frame.tsx";

/** More are not fetched. */
const MOST = 3000;
const USAGE = kindNumber("usage");

interface Point {
  readonly ms: number;
  readonly tokens: number;
  readonly cost: number | null;
}

/** What the run had used at each moment, as its agent told. */
export function Usage({ source, columns, events }: { readonly source: RunSource; readonly columns: Columns; readonly events: number }) {
  const [points, setPoints] = useState<readonly Point[]>();
  useEffect(() => {
    let stopped = false;
    const seqs: number[] = [];
    for (let i = 0; i < events && seqs.length < MOST; i++) if (columns.kind[i] === USAGE) seqs.push(i + 1);
    source.events(seqs).then(
      (found) => stopped || setPoints(pointsOf(found, columns)),
      () => stopped || setPoints([]),
    );
    return () => {
      stopped = true;
    };
  }, [source, events]);
  if (points === undefined) return null;
  const last = points.at(-1);
  if (last === undefined) return <p class="muted">The agent told nothing of the tokens it used.</p>;
  const total = columns.ms[events - 1] ?? 0;
  const costs = points.filter((point): point is Point & { cost: number } => point.cost !== null);
  const cost = costs.at(-1)?.cost;
  return (
    <>
      <Frame
        title="Tokens"
        summary={`${count(last.tokens)} in all, every class`}
        totalMs={total}
        most={last.tokens}
        format={(value) => count(Math.round(value))}
      >
        {(scale) =>
          steps(
            scale,
            points.map(({ ms, tokens }) => [ms, tokens]),
            total,
          )
        }
      </Frame>
      {cost !== undefined && cost > 0 && (
        <Frame title="Cost" summary={`${dollars(cost)}, as the agent reports it`} totalMs={total} most={cost} format={dollars}>
          {(scale) =>
            steps(
              scale,
              costs.map(({ ms, cost: value }) => [ms, value]),
              total,
            )
          }
        </Frame>
      )}
    </>
  );
}

function steps({ x, y }: Scale, points: readonly (readonly [number, number])[], total: number) {
  let path = `M${x(0)} ${y(0)}`;
  for (const [ms, value] of points) path += `H${x(ms).toFixed(1)}V${y(value).toFixed(1)}`;
  path += `H${x(total)}`;
  return (
    <>
      <path class="area" d={`${path}V${y(0)}Z`} />
      <path class="line" d={path} />
    </>
  );
}

/** A total replaces what was before; a step is added to it. */
function pointsOf(events: readonly PageEvent[], columns: Columns): readonly Point[] {
  const points: Point[] = [];
  let tokens = 0;
  let cost: number | null = null;
  for (const event of events) {
    if (event.type !== "usage") continue;
    const told = totalTokens(event.tokens as Tokens);
    if (told !== null) tokens = event.scope === "total" ? told : tokens + told;
    if (event.costUsd !== undefined) cost = event.scope === "total" ? event.costUsd : (cost ?? 0) + event.costUsd;
    points.push({ ms: columns.ms[event.seq - 1] ?? 0, tokens, cost });
  }
  return points;
}
