import { useEffect, useMemo, useState } from "preact/hooks";
import { counted, duration, printable } from "../../src/pure/base/index.ts";
import { operationOf } from "../../src/pure/timeline/index.ts";
import { hrefOf } from "../router.ts";
import type { PageEvent, RunSource } from "../source/index.ts";
import { aboutOf, type Columns, kindName } from "../timeline/index.ts";

interface Props {
  readonly run: string;
  readonly source: RunSource;
  readonly columns: Columns;
  readonly events: number;
}

interface Bar {
  readonly seq: number;
  readonly from: number;
  readonly to: number;
}

const MOST = 120;

/** The longest tool calls on a time axis, in order. */
export function Waterfall({ run, source, columns, events }: Props) {
  const bars = useMemo(() => barsOf(columns, events), [columns, events]);
  const [named, setNamed] = useState<ReadonlyMap<number, PageEvent>>(new Map());
  useEffect(() => {
    let stopped = false;
    const wanted = bars.shown.map(({ seq }) => seq);
    if (wanted.length > 0)
      void source.events(wanted).then((found) => stopped || setNamed(new Map(found.map((event) => [event.seq, event]))));
    return () => {
      stopped = true;
    };
  }, [source, bars]);
  if (bars.shown.length === 0) return null;
  const total = Math.max(1, columns.ms[events - 1] ?? 0);
  return (
    <section class="plot">
      <h3>
        Tool calls{" "}
        <span class="muted small">
          {bars.count > MOST ? `the ${MOST} longest of ${counted(bars.count, "call")}` : counted(bars.count, "call")}
        </span>
      </h3>
      <ol class="waterfall">
        {bars.shown.map(({ seq, from, to }) => {
          const event = named.get(seq);
          const isBad = columns.problem[seq - 1] === 1;
          return (
            <li key={seq}>
              <a href={hrefOf("runs", run, seq)}>
                <span class="name">
                  {event?.type === "tool-start" ? `${printable(event.tool)} ${printable(aboutOf(event.operations, event.input))}` : " "}
                </span>
                <span class="track">
                  <span
                    class={`stretch op-${operationOf(columns.flags[seq - 1] ?? 0) ?? "other"}${isBad ? " bad" : ""}`}
                    style={{ left: `${(100 * from) / total}%`, width: `max(2px, ${(100 * (to - from)) / total}%)` }}
                  />
                </span>
                <span class="mono took">{duration(to - from)}</span>
              </a>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function barsOf({ kind, ms, endOf }: Columns, events: number): { readonly shown: readonly Bar[]; readonly count: number } {
  const last = ms[events - 1] ?? 0;
  const bars: Bar[] = [];
  for (let i = 0; i < events; i++) {
    if (kindName(kind[i] ?? 255) !== "tool-start") continue;
    const end = endOf[i] ?? 0;
    bars.push({ seq: i + 1, from: ms[i] ?? 0, to: end > 0 ? (ms[end - 1] ?? 0) : last });
  }
  const longest = bars.length <= MOST ? bars : [...bars].sort((a, b) => b.to - b.from - (a.to - a.from)).slice(0, MOST);
  return { shown: longest.sort((a, b) => a.seq - b.seq), count: bars.length };
}
