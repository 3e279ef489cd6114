import { useEffect, useRef } from "preact/hooks";
import type { Columns } from "./columns.ts";
import { groups } from "./groups.ts";
import type { Visible } from "./visible.ts";

interface Props {
  readonly columns: Columns;
  readonly rows: Visible;
  readonly count: number;
  readonly window: readonly [number, number];
  readonly hits: ReadonlySet<number>;
  readonly go: (row: number) => void;
}

/** All events at once, one line of pixels for as many as it takes; what is on the screen is framed. */
export function Minimap({ columns, rows, count, window, hits, go }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const step = count < 20_000 ? count : Math.floor(count / 2000); // while it grows, it is drawn now and then
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
  const bad = style.getPropertyValue("--bad");
  const hit = style.getPropertyValue("--hit");
  const lines = Math.min(count, Math.floor(height / 2));
  const thickness = Math.min(height / lines, 6);
  for (let line = 0; line < lines; line++) {
    const from = Math.floor((line * count) / lines);
    const to = Math.max(from + 1, Math.floor(((line + 1) * count) / lines));
    let isBad = false;
    let isHit = false;
    const first = rows.at(from);
    // Of very many events not each is looked at: one in the middle stands for its line, and problems are looked for among some.
    for (let row = from, stride = Math.ceil((to - from) / 64); row < to; row += stride) {
      const i = rows.at(row);
      isBad ||= columns.problem[i] === 1;
      isHit ||= hits.size > 0 && hits.has(i + 1);
    }
    const indent = Math.min(3, columns.lane[first] === 0 ? 0 : 2) * 5;
    const y = (line * height) / lines;
    context.fillStyle = isBad ? bad : (colors[columns.group[first] ?? 0] ?? "gray");
    context.fillRect(6 + indent, y, width - 16 - indent, Math.max(1, thickness - 1));
    if (!isHit) continue;
    context.fillStyle = hit;
    context.fillRect(width - 7, y, 5, Math.max(2, thickness - 1));
  }
}
