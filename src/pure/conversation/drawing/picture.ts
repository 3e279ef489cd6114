import { clip, wrap } from "../../base/index.ts";
import { type Layout, type Line, layout, type Placed } from "../layout.ts";
import type { Step } from "../step.ts";
import { type Tone, toneOf, tones } from "./tones.ts";

/** An SVG element. Its text may be anything; everything else is ours. */
export interface Part {
  readonly name: "defs" | "g" | "marker" | "path" | "rect" | "text" | "title";
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly children: readonly (Part | string)[];
  readonly step?: Step;
}

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly parts: readonly Part[];
}

const BOX = { width: 296, height: 48 };
const PITCH = { x: BOX.width + 56, y: BOX.height + 22 };
export const MARGIN = 28;
/** Half the gap between two rows. */
const AIR = 11;
const TITLE_ROOM = 28;
/** The columns that fit into a box in the detail font, at 6.7 per column. */
const DETAIL_ROOM = 41;
const HOVER_LINES = 12;

const MARKS = { ok: "✓", failed: "✗", denied: "⊘", open: "…" } as const;
const MARK_TONES = { ok: "good", failed: "bad", denied: "bad", open: "ask" } as const;

/** Boxes in lanes, one lane per run, with lines between them. */
export function picture(steps: readonly Step[]): Picture {
  const drawn = layout(steps);
  return {
    width: drawn.lanes * PITCH.x - (PITCH.x - BOX.width) + 2 * MARGIN,
    height: drawn.rows * PITCH.y - (PITCH.y - BOX.height) + 2 * MARGIN,
    parts: [
      TIP,
      part("g", { transform: `translate(${MARGIN} ${MARGIN})` }, ...lanesOf(drawn), ...drawn.lines.map(line), ...drawn.places.map(box)),
    ],
  };
}

interface Looks {
  readonly class?: string;
  readonly fill?: Tone | "none";
  readonly stroke?: Tone;
  readonly [attribute: string]: string | number | undefined;
}

/** Sets the color as an attribute, for readers without styles. The classes `f-call` and `s-call` let dark mode change it. */
function part(name: Part["name"], { class: own, fill, stroke, ...rest }: Looks, ...children: readonly (Part | string)[]): Part {
  const isFilled = fill !== undefined && fill !== "none";
  const classes = [own, isFilled ? `f-${fill}` : undefined, stroke && `s-${stroke}`].filter((word) => word !== undefined);
  const attributes: Record<string, string | number> = {};
  if (classes.length > 0) attributes["class"] = classes.join(" ");
  if (fill !== undefined) attributes["fill"] = isFilled ? tones[fill].light : fill;
  if (stroke !== undefined) attributes["stroke"] = tones[stroke].light;
  for (const [key, value] of Object.entries(rest)) if (value !== undefined) attributes[key] = value;
  return { name, attributes, children };
}

const TIP = part(
  "defs",
  {},
  part(
    "marker",
    { id: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" },
    part("path", { fill: "call", d: "M0 0L8 4L0 8z" }),
  ),
);

/** A faint band behind each run. */
function lanesOf({ places }: Layout): readonly Part[] {
  const bands = new Map<string, { lane: number; first: number; last: number }>();
  for (const { step, row, lane } of places) {
    const band = bands.get(step.run);
    if (band === undefined) bands.set(step.run, { lane, first: row, last: row });
    else band.last = Math.max(band.last, row);
  }
  return [...bands.values()].map(({ lane, first, last }) => {
    const [x, y] = [lane * PITCH.x - 10, first * PITCH.y - 8];
    return part("rect", { fill: "lane", x, y, width: BOX.width + 20, height: (last - first) * PITCH.y + BOX.height + 16, rx: 12 });
  });
}

/** The gaps between lanes and rows hold only lines. */
function line({ kind, from, to }: Line, at: number): Part {
  const [x1, y1] = [from.lane * PITCH.x, from.row * PITCH.y];
  const [x2, y2] = [to.lane * PITCH.x, to.row * PITCH.y];
  if (kind === "next") return part("path", { class: kind, fill: "none", stroke: "line", d: `M${x1 + 18} ${y1 + BOX.height}V${y2}` });
  const gutter = Math.min(x1, x2) + BOX.width + 18 + (at % 4) * 7; // parallel lines must not overlap
  const looks = { class: kind, fill: "none", stroke: "call", "marker-end": "url(#tip)" } as const;
  if (kind === "branch")
    return part("path", { ...looks, d: `M${x1 + BOX.width} ${y1 + BOX.height / 2}H${gutter}V${y2 - AIR}H${x2 + 40}V${y2 - 3}` });
  const low = y1 + BOX.height + AIR + ((at % 3) - 1) * 4;
  const d = `M${x1 + 60} ${y1 + BOX.height}V${low}H${gutter}V${y2 + BOX.height / 2}H${x2 + BOX.width + 3}`;
  return part("path", { ...looks, "stroke-dasharray": "5 4", d });
}

function box({ step, row, lane }: Placed): Part {
  const { kind, state } = step;
  const tone = toneOf(step);
  const isBad = tone === "bad";
  const looks = { fill: isBad ? "bad-box" : "box", stroke: isBad ? "bad" : "edge", width: BOX.width, height: BOX.height, rx: 8 } as const;
  const mark =
    state && part("text", { class: "mark", fill: MARK_TONES[state], x: BOX.width - 14, y: 20, "text-anchor": "end" }, MARKS[state]);
  const shown = part(
    "g",
    { class: `step ${kind}`, transform: `translate(${lane * PITCH.x} ${row * PITCH.y})` },
    part("title", {}, hover(step)),
    part("rect", { class: "box", ...looks }),
    part("rect", { fill: tone, width: 5, height: BOX.height - 12, x: 5, y: 6, rx: 2.5 }),
    ...(mark ? [mark] : []),
    ...(kind === "text" || kind === "reasoning" ? speech(step) : headAndDetail(step)),
  );
  return { ...shown, step };
}

function headAndDetail({ kind, title, detail, outcome, count }: Step): readonly Part[] {
  const head = clip(kind === "result" ? `back from ${title}` : title, TITLE_ROOM);
  const more = clip(detail === "" ? outcome : detail, DETAIL_ROOM);
  const name = part("text", { class: "name", fill: "ink", x: 18, y: more === "" ? 29 : 20 }, count > 1 ? `${head} × ${count}` : head);
  return more === "" ? [name] : [name, part("text", { class: "detail", fill: kind === "user" ? "ink" : "soft", x: 18, y: 38 }, more)];
}

/** A spoken text has no title: two lines of it are shown instead. */
function speech({ detail }: Step): readonly Part[] {
  const text = detail
    .slice(0, 8 * DETAIL_ROOM)
    .replace(/\s+/g, " ")
    .trim();
  const [first = "", ...rest] = wrap(text, DETAIL_ROOM);
  const second = clip(rest.join(" "), DETAIL_ROOM);
  const line = (content: string, y: number) => part("text", { class: "detail", fill: "ink", x: 18, y }, content);
  return second === "" ? [line(first, 29)] : [line(first, 20), line(second, 38)];
}

/** The tooltip of a step. */
function hover({ title, detail, outcome }: Step): string {
  const lines = [title, detail, outcome]
    .filter((text) => text !== "")
    .flatMap((text) => wrap(text.slice(0, 2000), 100).slice(0, HOVER_LINES));
  return lines.slice(0, 2 * HOVER_LINES).join("\n");
}
