import { useMemo, useState } from "preact/hooks";
import { GraphPicture } from "../graph/graph-picture.tsx";
import { stepsOf } from "../graph/steps-of.ts";
import { plural } from "../parts/amounts.ts";
import { Notice } from "../parts/notice.tsx";
import { useAllEvents } from "../source/use-all-events.ts";
import { evaluatedOf } from "./evaluated-of.ts";
import type { Panel, PanelProps } from "./panel.ts";

export const graphPanel: Panel = { id: "graph", title: "Graph", Component: GraphPanel };

const ZOOMS = [0.4, 0.6, 0.8, 1, 1.25, 1.6] as const;

/** The conversation as a graph, subagents as branches. */
function GraphPanel({ run, source, state }: PanelProps) {
  const all = useAllEvents(source, state);
  const [zoom, setZoom] = useState(3);
  const drawn = useMemo(() => (all.is === "here" ? stepsOf(all.events, evaluatedOf(state.page.about, run)) : undefined), [all.is]);
  if (all.is === "too long") {
    return (
      <Notice title="Too long to be drawn here" code={`harness graph ${run} --format svg -o graph.svg`}>
        This run has {plural(state.count, "event")}. The command draws its beginning and its end, with what is alike put together:
      </Notice>
    );
  }
  if (drawn === undefined) return <p class="waiting">{all.is === "coming" ? "Drawing …" : "The graph is drawn when the run is over."}</p>;
  return (
    <div class="graph-panel">
      <p class="toolbar">
        <span class="muted small">{plural(drawn.steps.length, "step")}; each leads to its event</span>
        <span class="grow" />
        <button type="button" class="quiet" aria-label="Smaller" disabled={zoom === 0} onClick={() => setZoom(zoom - 1)}>
          −
        </button>
        <span class="mono small">{Math.round(100 * (ZOOMS[zoom] ?? 1))} %</span>
        <button type="button" class="quiet" aria-label="Larger" disabled={zoom === ZOOMS.length - 1} onClick={() => setZoom(zoom + 1)}>
          +
        </button>
      </p>
      <section class="picture" tabIndex={0} aria-label="Graph">
        <GraphPicture run={run} drawn={drawn} zoom={ZOOMS[zoom] ?? 1} />
      </section>
    </div>
  );
}
