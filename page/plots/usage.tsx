import { compact, dollars, notes } from "../../src/pure/base/index.ts";
import { atLeast } from "../../src/pure/events/index.ts";
import type { UsagePoint } from "../../src/pure/timeline/index.ts";
import type { RunSource } from "../source/index.ts";
import type { Columns } from "../timeline/index.ts";
import { Frame, type Scale } from "./frame.tsx";
import { useUsage } from "./use-usage.ts";

interface Props {
  readonly source: RunSource;
  readonly columns: Columns;
  readonly events: number;
  readonly grows: boolean;
}

/** Usage over time, as the agent reported it. */
export function Usage({ source, columns, events, grows }: Props) {
  const points = useUsage(source, grows, true);
  if (points === undefined) return null;
  const last = points.at(-1);
  if (last === undefined) return <p class="muted">The agent reported no token usage.</p>;
  const total = columns.ms[events - 1] ?? 0;
  const costs = points.filter((point): point is UsagePoint & { cost: number } => point.cost !== null);
  const cost = costs.at(-1)?.cost;
  return (
    <>
      <Frame
        title="Tokens"
        summary={notes(
          `${atLeast(compact(last.tokens), last.tokensPart !== undefined)} input, output and cache together`,
          last.tokensPart ?? "",
        )}
        totalMs={total}
        most={Math.max(...points.map(({ tokens }) => tokens))}
        format={compact}
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
        <Frame
          title="Cost"
          summary={notes(`${atLeast(dollars(cost), last.costPart !== undefined)}, as the agent reports it`, last.costPart ?? "")}
          totalMs={total}
          most={cost}
          format={dollars}
        >
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
