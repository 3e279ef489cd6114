import { useEffect, useRef } from "preact/hooks";
import type { Columns } from "./columns.ts";
import { groups, PROBLEM } from "./groups.ts";
import type { Visible } from "./visible.ts";

interface Props {
  readonly columns: Columns;
  readonly rows: Visible;
  readonly count: number;
  readonly window: readonly [number, number];
  readonly hits: ReadonlySet<number>;
  readonly go: (row: number) => void;
}

/** All events on one canvas: each line of pixels shows the kinds of its events. A frame marks the visible ones. */
export function Minimap({ columns, rows, count, window, hits, go }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const step = count < 20_000 ? count : Math.floor(count / 2000); // redraw a growing run only now and then
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const redraw = () => draw(element, columns, rows, count, hits);
    redraw();
    const observer = new ResizeObserver(redraw);
    observer.observe(element);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", redraw);
    const chosen = new MutationObserver(redraw);
    chosen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      observer.disconnect();
      chosen.disconnect();
      dark.removeEventListener("change", redraw);
    };
  }, [rows, step, hits]);
  const at = (event: PointerEvent) => {
    const box = canvas.current?.getBoundingClientRect();
    if (box !== undefined) go(Math.floor((Math.max(0, Math.min(event.clientY - box.top, box.height)) / box.height) * count));
  };
  const top = (100 * window[0]) / Math.max(1, count);
  const height = (100 * (window[1] - window[0] + 1)) / Math.max(1, count);
  return (
    <div class="minimap" aria-hidden="true" onPointerDown={at} onPointerMove={(event) => event.buttons === 1 && at(event)}>
      <canvas ref={canvas} />
      {height < 100 && <div class="frame" style={{ top: `${Math.min(top, 99)}%`, height: `max(6px, ${Math.min(height, 100)}%)` }} />}
    </div>
  );
}

function draw(element: HTMLCanvasElement, columns: Columns, rows: Visible, count: number, hits: ReadonlySet<number>): void {
  const { clientWidth: width, clientHeight: height } = element;
  const ratio = Math.min(2, devicePixelRatio || 1);
  element.width = width * ratio;
  element.height = height * ratio;
  const context = element.getContext("2d");
  if (context === null || count === 0 || height === 0) return;
  context.scale(ratio, ratio);
  const style = getComputedStyle(element);
  const colors = groups.map(({ id }) => style.getPropertyValue(`--group-${id}`) || "gray");
  const hit = style.getPropertyValue("--hit");
  const lines = Math.min(count, Math.floor(height / 2));
  const thickness = Math.min(height / lines, 6);
  for (let line = 0; line < lines; line++) {
    const from = Math.floor((line * count) / lines);
    const to = Math.max(from + 1, Math.floor(((line + 1) * count) / lines));
    const y = (line * height) / lines;
    const thick = Math.max(1, thickness - 1);
    const left = 6 + Math.min(3, columns.lane[rows.at(from)] === 0 ? 0 : 2) * 5;
    const parts = partsOf(columns, rows, from, to);
    const wide = (width - 10 - left) / Math.max(1, parts.looked);
    let x = left;
    for (const [group, number] of parts.groups.entries()) {
      if (number === 0) continue;
      context.fillStyle = colors[group] ?? "gray";
      context.fillRect(x, y, Math.max(1, number * wide), thick);
      x += number * wide;
    }
    if (hits.size === 0 || !isHit(rows, from, to, hits)) continue;
    context.fillStyle = hit;
    context.fillRect(width - 7, y, 5, Math.max(2, thickness - 1));
  }
}

/** At most this many events per line are sampled. */
const MOST_LOOKED = 64;

/** The groups of the events of a line; failed events count as problems. */
function partsOf(columns: Columns, rows: Visible, from: number, to: number) {
  const numbers = new Uint16Array(groups.length);
  const stride = Math.ceil((to - from) / MOST_LOOKED);
  let looked = 0;
  for (let row = from; row < to; row += stride, looked++) {
    const i = rows.at(row);
    const group = columns.problem[i] === 1 ? PROBLEM : (columns.group[i] ?? 0);
    numbers[group] = (numbers[group] ?? 0) + 1;
  }
  return { groups: numbers, looked };
}

function isHit(rows: Visible, from: number, to: number, hits: ReadonlySet<number>): boolean {
  const stride = Math.ceil((to - from) / MOST_LOOKED);
  for (let row = from; row < to; row += stride) if (hits.has(rows.at(row) + 1)) return true;
  return false;
}
