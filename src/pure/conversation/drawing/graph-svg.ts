import { clip, wrap } from "../../base/index.ts";
import { type Layout, type Line, layout, type Placed } from "../layout.ts";
import type { Step } from "../step.ts";

const BOX = { width: 296, height: 48 };
const PITCH = { x: BOX.width + 56, y: BOX.height + 22 };
const MARGIN = 28;
/** Half the room between two rows. */
const AIR = 11;
const TITLE_ROOM = 28;
/** As many columns as fit in a box in the font of details, of which a column is 6.7 wide. */
const DETAIL_ROOM = 41;
const HOVER_LINES = 12;

const MARKS = { ok: "✓", failed: "✗", denied: "⊘", open: "…" } as const;

/** An SVG that stands alone: no script, no font, nothing to load; light or dark as its reader is. */
export function graphSvg(steps: readonly Step[], title: string): string {
  const drawn = layout(steps);
  const width = drawn.lanes * PITCH.x - (PITCH.x - BOX.width) + 2 * MARGIN;
  const height = drawn.rows * PITCH.y - (PITCH.y - BOX.height) + 2 * MARGIN + 26;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(clip(title, 200))}</title>`,
    `<style>${STYLE}</style>`,
    TIP,
    `<rect class="page" width="100%" height="100%"/>`,
    `<text class="head" x="${MARGIN}" y="${MARGIN + 2}">${escaped(clip(title, Math.floor(width / 8)))}</text>`,
    `<g transform="translate(${MARGIN} ${MARGIN + 26})">`,
    ...lanesOf(drawn),
    ...drawn.lines.map(line),
    ...drawn.places.map(box),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

/** A faint band behind each run. */
function lanesOf({ places }: Layout): string[] {
  const bands = new Map<string, { lane: number; first: number; last: number }>();
  for (const { step, row, lane } of places) {
    const band = bands.get(step.run);
    if (band === undefined) bands.set(step.run, { lane, first: row, last: row });
    else band.last = Math.max(band.last, row);
  }
  return [...bands.values()].map(({ lane, first, last }) => {
    const height = (last - first) * PITCH.y + BOX.height + 16;
    return `<rect class="lane" x="${lane * PITCH.x - 10}" y="${first * PITCH.y - 8}" width="${BOX.width + 20}" height="${height}" rx="12"/>`;
  });
}

/** Between two lanes, and between two rows, nothing stands but lines. */
function line({ kind, from, to }: Line, at: number): string {
  const [x1, y1] = [from.lane * PITCH.x, from.row * PITCH.y];
  const [x2, y2] = [to.lane * PITCH.x, to.row * PITCH.y];
  if (kind === "next") return `<path class="next" d="M${x1 + 18} ${y1 + BOX.height}V${y2}"/>`;
  const lower = Math.min(x1, x2);
  const gutter = lower + BOX.width + 18 + (at % 4) * 7; // lines that run side by side are told apart
  if (kind === "branch") {
    const end = x2 + 40;
    return `<path class="branch" marker-end="url(#tip)" d="M${x1 + BOX.width} ${y1 + BOX.height / 2}H${gutter}V${y2 - AIR}H${end}V${y2 - 3}"/>`;
  }
  const start = x1 + 60;
  const away = ((at % 3) - 1) * 4;
  return `<path class="return" marker-end="url(#tip)" d="M${start} ${y1 + BOX.height}V${y1 + BOX.height + AIR + away}H${gutter}V${y2 + BOX.height / 2}H${x2 + BOX.width + 3}"/>`;
}

function box({ step, row, lane }: Placed): string {
  const { kind, state } = step;
  const isBad = kind === "error" || state === "failed" || state === "denied";
  return [
    `<g class="step ${kind}${isBad ? " bad" : ""}" transform="translate(${lane * PITCH.x} ${row * PITCH.y})">`,
    `<title>${escaped(hover(step))}</title>`,
    `<rect class="box" width="${BOX.width}" height="${BOX.height}" rx="8"/>`,
    `<rect class="stripe" width="5" height="${BOX.height - 12}" x="5" y="6" rx="2.5"/>`,
    state === undefined ? "" : `<text class="mark ${state}" x="${BOX.width - 14}" y="20">${MARKS[state]}</text>`,
    ...(kind === "text" || kind === "reasoning" ? speech(step) : headAndDetail(step)),
    "</g>",
  ].join("");
}

function headAndDetail({ kind, title, detail, outcome, count }: Step): string[] {
  const head = kind === "result" ? `back from ${title}` : title;
  const more = clip(detail === "" ? outcome : detail, DETAIL_ROOM);
  const name = `<text class="name" x="18" y="${more === "" ? 29 : 20}">${escaped(clip(head, TITLE_ROOM))}${count > 1 ? ` × ${count}` : ""}</text>`;
  return more === "" ? [name] : [name, `<text class="detail" x="18" y="38">${escaped(more)}</text>`];
}

/** What is said needs no name: two lines of it stand there. */
function speech({ detail }: Step): string[] {
  const text = detail
    .slice(0, 8 * DETAIL_ROOM)
    .replace(/\s+/g, " ")
    .trim();
  const [first = "", ...rest] = wrap(text, DETAIL_ROOM);
  const second = clip(rest.join(" "), DETAIL_ROOM);
  const lines =
    second === ""
      ? [[first, 29] as const]
      : ([
          [first, 20],
          [second, 38],
        ] as const);
  return lines.map(([words, y]) => `<text class="detail" x="18" y="${y}">${escaped(words)}</text>`);
}

/** What a mouse that rests on a step is told. */
function hover({ title, detail, outcome }: Step): string {
  const told = [title, detail, outcome]
    .filter((text) => text !== "")
    .flatMap((text) => wrap(text.slice(0, 2000), 100).slice(0, HOVER_LINES));
  return told.slice(0, 2 * HOVER_LINES).join("\n");
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** The text is printable already: of what XML does not allow only these two are left. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? "").replace(/[\uFFFE\uFFFF]/g, "\uFFFD");
}

const TIP =
  '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>';

const STYLE = `
svg{--page:#fbfbfa;--lane:#f1f1ee;--box:#fff;--edge:#d6d6d0;--ink:#1f2328;--soft:#646b73;--line:#9aa1a9;--call:#3b6fd4;--text:#8a8f98;--user:#7a4fc4;--good:#2c8a4b;--bad:#c9352b;--ask:#b57300;--code:#0f8a8a;--badbox:#fdf1f0;color-scheme:light dark}
@media(prefers-color-scheme:dark){svg{--page:#16181b;--lane:#1c1f23;--box:#24282d;--edge:#3a4047;--ink:#e8eaed;--soft:#9aa3ad;--line:#666f79;--call:#7ca6ff;--text:#8a929c;--user:#b794f6;--good:#5cc27e;--bad:#ff7b72;--ask:#e3b341;--code:#4cc2c2;--badbox:#33211f}}
.page{fill:var(--page)}.lane{fill:var(--lane)}
.box{fill:var(--box);stroke:var(--edge)}.bad .box{fill:var(--badbox);stroke:var(--bad)}
text{font-family:ui-sans-serif,system-ui,"Segoe UI","Helvetica Neue",Arial,sans-serif;fill:var(--ink)}
.head{font-size:14px;font-weight:600}.name{font-size:13px;font-weight:600}
.detail{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:11px;fill:var(--soft)}
.text .detail,.user .detail,.reasoning .detail{fill:var(--ink)}.reasoning .detail{font-style:italic}
.mark{font-size:14px;font-weight:700;text-anchor:end}.mark.ok{fill:var(--good)}.mark.failed,.mark.denied{fill:var(--bad)}.mark.open{fill:var(--ask)}
.stripe{fill:var(--text)}.call .stripe,.result .stripe{fill:var(--call)}.user .stripe{fill:var(--user)}.code .stripe{fill:var(--code)}.start .stripe,.end .stripe{fill:var(--good)}.relay .stripe{fill:var(--ask)}.bad .stripe{fill:var(--bad)}
path{fill:none;stroke:var(--line);stroke-width:1.5;stroke-linejoin:round}marker path{fill:var(--call);stroke:none}.branch{stroke:var(--call)}.return{stroke:var(--call);stroke-dasharray:5 4}
`.replaceAll("\n", "");
