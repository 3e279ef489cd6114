import { useEffect, useRef, useState } from "preact/hooks";
import { counted, whole } from "../../src/pure/base/index.ts";
import { GraphPicture, useGraph, windowAround } from "../graph/index.ts";
import { Failure, isTyping, useKeys } from "../parts/index.ts";
import { hrefOf } from "../router.ts";
import { evaluatedOf } from "../views/index.ts";
import type { Panel, PanelProps } from "./panel.ts";

export const graphPanel: Panel = { id: "graph", title: "Graph", Component: GraphPanel };

const ZOOMS = [0.4, 0.6, 0.8, 1, 1.25, 1.6] as const;

/** The conversation as a graph. A long run shows the window around the event in the address. */
function GraphPanel({ run, source, state, rest }: PanelProps) {
  const [zoom, setZoom] = useState(3);
  const all = state.page.part === undefined ? Math.max(state.page.row.events ?? 0, state.count) : state.count;
  const begin = state.page.part?.first ?? 1;
  const around = windowAround(Math.max(begin, Number(rest[0]) || 1), all, state.page.row.bytes ?? 0);
  const part = { first: Math.max(begin, around.first), last: Math.min(around.last, state.count) }; // only loaded events
  const { drawn, error } = useGraph(source, state, part, evaluatedOf(state.page.about, run));
  const turn = (by: 1 | -1) => setZoom((now) => Math.max(0, Math.min(ZOOMS.length - 1, now + by)));
  const picture = useRef<HTMLElement>(null);
  useKeys(({ key, target, ctrlKey, metaKey }) => {
    if (isTyping(target) || ctrlKey || metaKey) return;
    if (key === "+" || key === "=") turn(1);
    else if (key === "-") turn(-1);
  });
  useEffect(() => {
    const element = picture.current;
    if (element === null) return;
    // A pinch on a touchpad is a wheel event with Ctrl. Only a non-passive listener can stop the browser from zooming.
    const wheel = (event: WheelEvent) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      turn(event.deltaY < 0 ? 1 : -1);
    };
    element.addEventListener("wheel", wheel, { passive: false });
    return () => element.removeEventListener("wheel", wheel);
  }, [drawn === undefined]);
  if (error !== undefined) return <Failure error={error} />;
  if (drawn === undefined) return <p class="waiting">Drawing …</p>;
  const isPart = part.first > begin || around.last < all;
  return (
    <div class="graph-panel">
      <div class="toolbar">
        <span class="muted small">{counted(drawn.steps.length, "step")}; each leads to its event</span>
        {isPart && (
          <nav class="line" aria-label="Parts of the graph">
            <Part run={run} seq={part.first - 1} label="Earlier" isThere={part.first > begin} />
            <span class="small">
              events {whole(part.first)} to {whole(part.last)} of {whole(all)}
            </span>
            <Part run={run} seq={around.last + 1} label="Later" isThere={around.last < all} />
          </nav>
        )}
        <span class="grow" />
        <span class="zoom">
          <button type="button" class="quiet" aria-label="Smaller" disabled={zoom === 0} onClick={() => turn(-1)}>
            −
          </button>
          <span class="mono small">{Math.round(100 * (ZOOMS[zoom] ?? 1))} %</span>
          <button type="button" class="quiet" aria-label="Larger" disabled={zoom === ZOOMS.length - 1} onClick={() => turn(1)}>
            +
          </button>
        </span>
      </div>
      <section class="picture" ref={picture} tabIndex={0} aria-label="Graph">
        <GraphPicture run={run} drawn={drawn} zoom={ZOOMS[zoom] ?? 1} />
      </section>
    </div>
  );
}

function Part({
  run,
  seq,
  label,
  isThere,
}: {
  readonly run: string;
  readonly seq: number;
  readonly label: string;
  readonly isThere: boolean;
}) {
  return isThere ? (
    <a class="chip" href={hrefOf("runs", run, "graph", seq)}>
      {label}
    </a>
  ) : (
    <span class="chip muted" aria-hidden="true">
      {label}
    </span>
  );
}
