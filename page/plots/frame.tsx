import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { duration } from "../../src/pure/base/index.ts";

const HEIGHT = 180;
const LEFT = 52;
const RIGHT = 4;
const BOTTOM = 22;

export interface Scale {
  readonly x: (ms: number) => number;
  readonly y: (value: number) => number;
}

interface Props {
  readonly title: string;
  /** A description for screen readers. */
  readonly summary: string;
  readonly totalMs: number;
  readonly most: number;
  readonly format: (value: number) => string;
  readonly children: (scale: Scale) => ComponentChildren;
}

export function Frame({ title, summary, totalMs, most: highest, format, children }: Props) {
  const most = roundedUp(highest);
  const figure = useRef<HTMLElement>(null);
  const width = useWidth(figure);
  const x = (ms: number) => LEFT + (ms / Math.max(1, totalMs)) * (width - LEFT - RIGHT);
  const y = (value: number) => HEIGHT - BOTTOM - (value / Math.max(1e-12, most)) * (HEIGHT - BOTTOM - 10);
  const moments = width < 500 ? [0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1];
  return (
    <figure class="plot" ref={figure}>
      <figcaption>
        <h3>{title}</h3> <span class="muted small">{summary}</span>
      </figcaption>
      <svg width={width} height={HEIGHT} role="img" aria-label={`${title}: ${summary}`}>
        {[0, 0.5, 1].map((part) => (
          <g key={part}>
            <line class="grid" x1={LEFT} x2={width - RIGHT} y1={y(part * most)} y2={y(part * most)} />
            <text x={LEFT - 8} y={y(part * most) + 4} text-anchor="end">
              {format(part * most)}
            </text>
          </g>
        ))}
        {moments.map((part) => (
          <text key={part} x={x(part * totalMs)} y={HEIGHT - 4} text-anchor={part === 0 ? "start" : part === 1 ? "end" : "middle"}>
            {duration(part * totalMs)}
          </text>
        ))}
        {children({ x, y })}
      </svg>
    </figure>
  );
}

/** Rounds up to a number that is easy to halve. */
function roundedUp(value: number): number {
  if (value <= 0) return 1;
  const unit = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 6, 8].find((times) => times * unit >= value * 0.999_999) ?? 10) * unit;
}

function useWidth(element: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(900);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new ResizeObserver(([entry]) => entry !== undefined && setWidth(Math.max(240, Math.floor(entry.contentRect.width))));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return width;
}
