import { useMemo } from "preact/hooks";
import { compact, counted } from "../../src/pure/base/index.ts";
import { type Columns, DETAIL, groups } from "../timeline/index.ts";
import { Frame } from "./frame.tsx";

const BUCKETS = 96;

export function Activity({ columns, events }: { readonly columns: Columns; readonly events: number }) {
  const total = columns.ms[events - 1] ?? 0;
  const buckets = useMemo(() => bucketsOf(columns, events, total), [columns, events]);
  const most = Math.max(1, ...buckets.map(sum));
  const shown = buckets.reduce((all, bucket) => all + sum(bucket), 0);
  return (
    <div>
      <Frame title="Activity" summary={`${counted(shown, "event")}, without details`} totalMs={total} most={most} format={compact}>
        {({ x, y }) =>
          buckets.map((bucket, i) => {
            let below = 0;
            const width = Math.max(1, x(total / BUCKETS) - x(0) - 1);
            return (
              <g key={i}>
                {groups.map(({ id }, group) => {
                  const number = bucket[group] ?? 0;
                  if (number === 0) return null;
                  const top = y(below + number);
                  const height = y(below) - top;
                  below += number;
                  return <rect key={id} class={`of-${id}`} x={x((i * total) / BUCKETS)} y={top} width={width} height={height} />;
                })}
              </g>
            );
          })
        }
      </Frame>
      <ul class="legend">
        {groups.map(({ id, title }, i) =>
          i === DETAIL || !buckets.some((bucket) => (bucket[i] ?? 0) > 0) ? null : (
            <li key={id} class={`key-${id}`}>
              {title}
            </li>
          ),
        )}
      </ul>
    </div>
  );
}

function bucketsOf({ ms, group }: Columns, events: number, total: number): readonly Uint32Array[] {
  const buckets = Array.from({ length: BUCKETS }, () => new Uint32Array(groups.length));
  for (let i = 0; i < events; i++) {
    const own = group[i] ?? 0;
    if (own === DETAIL) continue;
    const bucket = buckets[Math.min(BUCKETS - 1, Math.floor(((ms[i] ?? 0) / Math.max(1, total)) * BUCKETS))];
    if (bucket !== undefined) bucket[own] = (bucket[own] ?? 0) + 1;
  }
  return buckets;
}

function sum(bucket: Uint32Array): number {
  let all = 0;
  for (const number of bucket) all += number;
  return all;
}
