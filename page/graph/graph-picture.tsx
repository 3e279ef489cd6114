import { useMemo } from "preact/hooks";
import { type Line, layout, type Placed, type Step } from "../../src/pure/conversation/index.ts";
import { visibleText } from "../parts/index.ts";
import { hrefOf } from "../router.ts";
import type { Steps } from "./steps-of.ts";

const BOX = { width: 280, height: 46 };
const PITCH = { x: BOX.width + 56, y: BOX.height + 20 };
const MARGIN = 24;
/** As many letters as fit into a box. */
const ROOM = 38;
const MARKS = { ok: "", failed: "✗", denied: "⊘", open: "…" } as const;

interface Props {
  readonly run: string;
  readonly drawn: Steps;
  readonly zoom: number;
}

/** Boxes in lanes, a lane for each subagent; every box leads to its event. */
export function GraphPicture({ run, drawn: { steps, seqOf }, zoom }: Props) {
  const { places, lines, rows, lanes } = useMemo(() => layout(steps), [steps]);
  const width = lanes * PITCH.x - (PITCH.x - BOX.width) + 2 * MARGIN;
  const height = rows * PITCH.y - (PITCH.y - BOX.height) + 2 * MARGIN;
  return (
    <svg class="graph" width={width * zoom} height={height * zoom} viewBox={`0 0 ${width} ${height}`}>
      <title>The conversation, step by step, subagents as branches</title>
      <g transform={`translate(${MARGIN} ${MARGIN})`}>
        {lines.map((line, i) => (
          <path key={i} class={line.kind} d={pathOf(line)} />
        ))}
        {places.map((place) => (
          <Box key={place.step.id} {...place} run={run} seq={seqOf.get(place.step.id)} />
        ))}
      </g>
    </svg>
  );
}

function Box({ step, row, lane, run, seq }: Placed & { readonly run: string; readonly seq: number | undefined }) {
  const isBad = step.kind === "error" || step.state === "failed" || step.state === "denied";
  const [head, more] = wordsOf(step);
  const body = (
    <g class={`step ${step.kind}${isBad ? " bad" : ""}`} transform={`translate(${lane * PITCH.x} ${row * PITCH.y})`}>
      <title>{visibleText([step.title, step.detail, step.outcome].filter(Boolean).join("\n").slice(0, 2000))}</title>
      <rect width={BOX.width} height={BOX.height} rx="6" />
      <rect class="stripe" width="4" height={BOX.height} rx="2" />
      <text class="name" x="14" y={more === "" ? 28 : 19}>
        {head}
        {step.count > 1 ? ` × ${step.count}` : ""}
      </text>
      <text class="detail" x="14" y="36">
        {more}
      </text>
      {step.state !== undefined && (
        <text class="mark" x={BOX.width - 12} y="19" text-anchor="end">
          {MARKS[step.state]}
        </text>
      )}
    </g>
  );
  return seq === undefined ? body : <a href={hrefOf("runs", run, seq)}>{body}</a>;
}

/** What is said needs no name. */
function wordsOf({ kind, title, detail, outcome }: Step): readonly [string, string] {
  const short = (text: string, room: number) => {
    const flat = visibleText(text.slice(0, 4 * ROOM))
      .replace(/\s+/g, " ")
      .trim();
    return flat.length > room ? `${flat.slice(0, room - 1)}…` : flat;
  };
  if (kind === "text" || kind === "reasoning" || kind === "user") {
    const flat = visibleText(detail.slice(0, 4 * ROOM))
      .replace(/\s+/g, " ")
      .trim();
    const cut = flat.length <= ROOM ? flat.length : Math.max(1, flat.lastIndexOf(" ", ROOM));
    return [flat.slice(0, cut), short(flat.slice(cut), ROOM)];
  }
  return [short(kind === "result" ? `back from ${title}` : title, 28), short(detail === "" ? outcome : detail, ROOM)];
}

function pathOf({ kind, from, to }: Line): string {
  const [x1, y1] = [from.lane * PITCH.x, from.row * PITCH.y];
  const [x2, y2] = [to.lane * PITCH.x, to.row * PITCH.y];
  if (kind === "next") return `M${x1 + 18} ${y1 + BOX.height}V${y2}`;
  const gutter = Math.min(x1, x2) + BOX.width + 24;
  if (kind === "branch") return `M${x1 + BOX.width} ${y1 + BOX.height / 2}H${gutter}V${y2 - 10}H${x2 + 40}V${y2}`;
  return `M${x1 + 60} ${y1 + BOX.height}V${y1 + BOX.height + 10}H${gutter}V${y2 + BOX.height / 2}H${x2 + BOX.width}`;
}
