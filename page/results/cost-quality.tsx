import { useState } from "preact/hooks";
import { compact, dollars, duration, percent, percentRange, printable } from "../../src/pure/base/index.ts";
import type { ResultSide } from "../../src/pure/timeline/index.ts";

const measures = [
  { id: "cost", title: "cost", of: (side: ResultSide) => side.meanCostUsd, format: dollars, label: "mean cost of a trial" },
  {
    id: "tokens",
    title: "tokens",
    of: (side: ResultSide) => side.meanTokens,
    format: compact,
    label: "mean tokens of a trial",
  },
  { id: "time", title: "time", of: (side: ResultSide) => side.latencyMs.p50, format: duration, label: "median time of a trial" },
] as const;

const WIDTH = 460;
const HEIGHT = 230;
const [LEFT, RIGHT, TOP, BOTTOM] = [44, 16, 14, 36];

interface Point {
  readonly side: ResultSide;
  readonly x: number;
  readonly rate: number;
}

export function CostQuality({ sides }: { readonly sides: readonly ResultSide[] }) {
  const [chosen, setChosen] = useState<string>();
  const summary = measures.filter(({ of }) => sides.some((side) => of(side) !== null && side.passRate !== null));
  const measure = summary.find(({ id }) => id === chosen) ?? summary[0];
  if (measure === undefined) return null;
  const points = sides.flatMap((side): Point[] => {
    const x = measure.of(side);
    return x === null || side.passRate === null ? [] : [{ side, x, rate: side.passRate }];
  });
  const isPartial = ({ partialCost, partialTokens }: ResultSide) => (measure.id === "cost" ? partialCost : partialTokens);
  const partial = points.flatMap(({ side }) => (isPartial(side) ? [side.label] : []));
  const missing = sides.length - points.length;
  return (
    <figure class="plot cost-quality">
      <figcaption>
        <h2>Quality against {measure.title}</h2>
        <fieldset class="chips" aria-label="Against what">
          {summary.map(({ id, title }) => (
            <button key={id} type="button" class="chip" aria-pressed={id === measure.id} onClick={() => setChosen(id)}>
              {title}
            </button>
          ))}
        </fieldset>
      </figcaption>
      <Scatter points={points} format={measure.format} label={measure.label} />
      {measure.id !== "time" && partial.length > 0 && (
        <p class="muted small">Reported only in part, so a lower bound: {printable(partial.join(", "))}.</p>
      )}
      {missing > 0 && (
        <p class="muted small">
          {missing} of {sides.length} did not report it, or have no trial that counts.
        </p>
      )}
    </figure>
  );
}

function Scatter(props: { readonly points: readonly Point[]; readonly format: (value: number) => string; readonly label: string }) {
  const { points, format, label } = props;
  const most = Math.max(...points.map(({ x }) => x), Number.MIN_VALUE) * 1.15;
  const x = (value: number) => LEFT + (value / most) * (WIDTH - LEFT - RIGHT);
  const y = (rate: number) => HEIGHT - BOTTOM - rate * (HEIGHT - TOP - BOTTOM);
  const summary = points.map((point) => `${printable(point.side.label)}: ${percent(point.rate)} at ${format(point.x)}`).join("; ");
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`Pass rate against ${label}. ${summary}`}>
      {[0, 0.5, 1].map((rate) => (
        <g key={rate}>
          <line class="grid" x1={LEFT} x2={WIDTH - RIGHT} y1={y(rate)} y2={y(rate)} />
          <text x={LEFT - 8} y={y(rate) + 4} text-anchor="end">
            {rate * 100} %
          </text>
        </g>
      ))}
      {[0, 0.5, 1].map((part) => (
        <text key={part} x={x((part * most) / 1.15)} y={HEIGHT - BOTTOM + 16} text-anchor={part === 0 ? "start" : "middle"}>
          {format((part * most) / 1.15)}
        </text>
      ))}
      <text x={WIDTH - RIGHT} y={HEIGHT - 4} text-anchor="end">
        {label}
      </text>
      {points.map(({ side, x: value, rate }, i) => {
        const range = side.passRateInterval;
        const isRight = x(value) > WIDTH * 0.6;
        return (
          <g key={side.label} class={`point-${i % 5}`}>
            <title>{`${printable(side.label)}: ${percent(rate)} ${percentRange(range)} at ${format(value)}`}</title>
            {range !== null && <line class="whisker" x1={x(value)} x2={x(value)} y1={y(range.low)} y2={y(range.high)} />}
            <circle cx={x(value)} cy={y(rate)} r="5" />
            <text class="name" x={x(value) + (isRight ? -10 : 10)} y={y(rate) + 4} text-anchor={isRight ? "end" : "start"}>
              {printable(shortened(side.label))}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

function shortened(label: string): string {
  return label.length > 26 ? `${label.slice(0, 25)}…` : label;
}
