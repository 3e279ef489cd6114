import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { whole } from "../../src/pure/base/index.ts";
import type { Lane } from "../../src/pure/timeline/index.ts";
import { type ListHandle, VirtualList } from "../list/index.ts";
import { Notice } from "../parts/index.ts";
import { hrefOf, replaceRoute } from "../router.ts";
import type { PageEvent } from "../source/index.ts";
import {
  depths,
  EventCard,
  Inspector,
  kindName,
  laneLabel,
  Minimap,
  Replay,
  rowHeight,
  type Shown,
  Toolbar,
  useEvents,
  useSearch,
  useTimelineKeys,
  usuallyShown,
  visible,
} from "../timeline/index.ts";
import type { Panel, PanelProps } from "./panel.ts";

export const timelinePanel: Panel = { id: "timeline", title: "Timeline", Component: Timeline };

/** So many events above and below the visible ones are fetched with them. */
const AHEAD = 30;

function Timeline({ run, source, state, rest }: PanelProps) {
  const { columns, count } = state;
  const [shown, setShown] = useState<Shown>(usuallyShown);
  const search = useSearch(source, state.log.count);
  const [onlyHits, setOnlyHits] = useState(false);
  const order = useMemo(() => inRows(search.order, columns.link), [search.order, columns]);
  const found = useMemo(() => new Set(order), [order]);
  const hits = onlyHits && search.text !== "" ? found : undefined;
  const rows = useMemo(() => visible(columns, shown, hits), [columns, shown, hits, state.log.done]);
  rows.extend();
  /** During a replay, events after this moment are hidden. */
  const [until, setUntil] = useState<number>();
  const rowCount = until === undefined ? rows.count : rowsUntil(rows, columns.ms, until);
  const events = useEvents(source);
  const [selected, setSelected] = useState(() => Number(rest[0]) || 0);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const [window, setWindow] = useState<readonly [number, number]>([0, 0]);
  const [isInspecting, setInspecting] = useState(selected > 0);
  const list = useRef<ListHandle>(null);
  const laneDepths = useMemo(() => depths(state.log.lanes), [state.log.lanes.length]);

  const select = (seq: number, how?: "near" | "third") => {
    setSelected(seq);
    replaceRoute(hrefOf("runs", run, seq));
    if (how !== undefined) list.current?.scrollTo(rows.rowOf(seq - 1), how);
  };
  const toggle = (seq: number) => {
    const next = new Set(open);
    if (!next.delete(seq)) next.add(seq);
    setOpen(next);
  };

  // Scroll to the event in the address once it is loaded.
  const target = useRef(Number(rest[0]) || 0);
  useEffect(() => {
    if (target.current === 0 || target.current > count) return;
    list.current?.scrollTo(rows.rowOf(target.current - 1), "third");
    target.current = 0;
  }, [count]);
  useEffect(() => {
    const named = Number(rest[0]) || 0;
    if (named === 0 || named === selected) return;
    setSelected(named);
    setInspecting(true);
    if (named <= count) list.current?.scrollTo(rows.rowOf(named - 1), "third");
  }, [rest[0]]);

  // A live run opens at its end.
  const isLive = state.page.row.status === "running";
  const wasAtEnd = useRef(!isLive || target.current > 0);
  useEffect(() => {
    if (wasAtEnd.current || rowCount === 0) return;
    wasAtEnd.current = true;
    list.current?.scrollTo(rowCount - 1, "end");
  }, [rowCount > 0]);

  const seen = (first: number, last: number) => {
    const wanted: number[] = [];
    for (let row = Math.max(0, first - AHEAD); row < Math.min(rowCount, last + AHEAD); row++) {
      const i = rows.at(row);
      wanted.push(i + 1);
      const end = columns.endOf[i] ?? 0;
      if (end > 0) wanted.push(end);
    }
    events.want(wanted.sort((a, b) => a - b));
    if (first !== window[0] || last !== window[1]) setWindow([first, last]);
  };

  const keys = useTimelineKeys({ rows, rowCount, columns, selected, select, toggle, hits: order, inspect: setInspecting, list });

  return (
    <div class={`timeline${isInspecting && selected > 0 ? " inspecting" : ""}`}>
      <Toolbar
        shown={shown}
        setShown={setShown}
        counts={columns.counts}
        search={search}
        found={order.length}
        onlyHits={onlyHits}
        setOnlyHits={setOnlyHits}
        jump={keys.jumpToHit}
      />
      {state.log.done ? null : (
        <p class="progress muted small" aria-live="polite">
          {isLive
            ? `${whole(count)} events so far`
            : `Reading the recording: ${whole(count)} of ${whole(state.page.row.events ?? 0)} events`}
          {isLive && window[1] < rowCount - 1 && (
            <button type="button" class="link" onClick={() => list.current?.scrollTo(rowCount - 1, "end")}>
              jump to the newest
            </button>
          )}
        </p>
      )}
      <div class="columns">
        {rowCount === 0 ? (
          <Notice title="No matching event" next={{ label: "Show the usual kinds", act: () => setShown(usuallyShown) }}>
            None of the {whole(count)} events has a kind that is switched on.
          </Notice>
        ) : (
          <VirtualList
            label="Events"
            class="events"
            count={rowCount}
            version={rows}
            keyOf={(row) => rows.at(row)}
            estimate={(row) => rowHeight(columns, rows.at(row))}
            follows={isLive || until !== undefined}
            onWindow={seen}
            handle={list}
            item={(row) => {
              const i = rows.at(row);
              const end = columns.endOf[i] ?? 0;
              const lane = columns.lane[i] ?? 0;
              const event = events.get(i + 1);
              return (
                <EventCard
                  run={run}
                  seq={i + 1}
                  kind={kindName(columns.kind[i] ?? 255) ?? "other"}
                  ms={columns.ms[i] ?? 0}
                  event={event}
                  end={end > 0 ? events.get(end) : undefined}
                  hasEnd={end > 0}
                  lane={state.log.lanes[lane]}
                  depth={laneDepths[lane] ?? 0}
                  subagent={labelOf(event, state.log.lanes)}
                  prompt={state.page.part === undefined ? (state.page.row.prompt ?? undefined) : undefined}
                  isSelected={selected === i + 1}
                  isOpen={open.has(i + 1)}
                  isHit={found.has(i + 1)}
                  position={row}
                  count={rowCount}
                  select={() => select(i + 1)}
                  toggle={() => toggle(i + 1)}
                  whole={(seq) => void events.whole(seq)}
                  inspect={() => setInspecting(true)}
                />
              );
            }}
          />
        )}
        <Minimap
          columns={columns}
          rows={rows}
          count={rowCount}
          window={window}
          hits={found}
          go={(row) => list.current?.scrollTo(row, "third")}
        />
        {isInspecting && selected > 0 && (
          <Inspector
            run={run}
            source={source}
            seq={selected}
            close={() => setInspecting(false)}
            go={(seq) => select(seq, "third")}
            columns={columns}
          />
        )}
      </div>
      <Replay columns={columns} count={count} until={until} setUntil={setUntil} isLive={!state.log.done} />
    </div>
  );
}

/** The label of the subagent that starts or ends in this event. */
function labelOf(event: PageEvent | undefined, lanes: readonly Lane[]): string {
  if (event?.type !== "subagent-start" && event?.type !== "subagent-end") return "";
  const lane = lanes.find(({ id }) => id === event.subagentId);
  return laneLabel(lane ?? { id: event.subagentId, name: event.name ?? null, from: 0 });
}

function rowsUntil(rows: { readonly count: number; at(row: number): number }, ms: Uint32Array, until: number): number {
  let low = 0;
  let high = rows.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ms[rows.at(middle)] ?? 0) <= until) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A match in the end of a call counts for the row of its start. */
function inRows(seqs: readonly number[], link: Uint32Array): readonly number[] {
  return [...new Set(seqs.map((seq) => link[seq - 1] || seq))].sort((a, b) => a - b);
}
