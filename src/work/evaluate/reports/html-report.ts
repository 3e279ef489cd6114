import { dollars, duration, markup, percent, percentRange, type Table, whole } from "../../../pure/base/index.ts";
import { atLeast, totalTokens } from "../../../pure/events/index.ts";
import type { Comparison } from "../compare/index.ts";
import { flakiest } from "./flakiest.ts";
import { STYLE } from "./html-style.ts";
import { htmlTrials } from "./html-trials.ts";
import { anchorOf, type ShownTrial } from "./shown-trials.ts";
import { behaviorPairsTable, behaviorTable, casesTable, cellText, pairsTable, setupTable, sidesTable } from "./tables.ts";

export interface HtmlOptions {
  /** The trials to show one by one. Default: none. */
  readonly trials?: Iterable<ShownTrial>;
  /** When the report was made. */
  readonly at?: Date;
}

/** A page that opens offline: no script, no request, plots as SVG. Names from users are escaped. */
export function htmlReport(report: Comparison, title: string): string {
  return [...htmlPieces(report, title)].join("");
}

/** The same page in pieces, with every trial if they are given. */
export function* htmlPieces(report: Comparison, title: string, { trials, at }: HtmlOptions = {}): Generator<string> {
  const flaky = flakiest(report, 10);
  const behavior = behaviorTable(report);
  const behaviorPairs = behaviorPairsTable(report);
  yield `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${markup(title)}</title>
<style>${STYLE}</style>
<main>
<h1>${markup(title)}</h1>
${at === undefined ? "" : `<p class="date">${markup(at.toISOString().slice(0, 16).replace("T", " "))} UTC</p>`}
${table(sidesTable(report))}
<div class="plots">
${figure("Pass rate, of the trials that passed, failed or ran out of time, with its 95 % interval", passRates(report))}
${figure("Cost against quality", costAgainstQuality(report))}
${figure("Latency: half of the runs, and nine of ten", latencies(report))}
</div>
${table(setupTable(report))}
${report.pairs.length > 0 ? table(pairsTable(report)) : ""}
${behavior === undefined ? "" : table(behavior)}
${behaviorPairs === undefined ? "" : table(behaviorPairs)}
${flaky.length > 0 ? table(casesTable(report, flaky, "Cases whose trials disagree")) : ""}
${heatMap(report, trials !== undefined)}
`;
  if (trials !== undefined) yield* htmlTrials(trials);
  yield "</main>\n</html>\n";
}

function table({ title, head, rows }: Table): string {
  const line = (tag: "th" | "td", cells: readonly string[]) =>
    `<tr>${cells.map((cell) => `<${tag}>${markup(cell)}</${tag}>`).join("")}</tr>`;
  return `<section><h2>${markup(title)}</h2><div class="scroll"><table><thead>${line("th", head)}</thead><tbody>${rows.map((row) => line("td", row)).join("")}</tbody></table></div></section>`;
}

function figure(caption: string, svg: string): string {
  return `<figure><figcaption>${markup(caption)}</figcaption>${svg}</figure>`;
}

const WIDTH = 420;
const LEFT = 130;

function passRates({ sides }: Comparison): string {
  const x = (rate: number) => LEFT + rate * (WIDTH - LEFT - 60);
  const rows = sides.map(({ label, passRate, passRateInterval }, index) => {
    const y = 20 + index * 28;
    const bar =
      passRateInterval === null
        ? ""
        : `<line class="range" x1="${x(passRateInterval.low)}" x2="${x(passRateInterval.high)}" y1="${y}" y2="${y}"/>`;
    const dot =
      passRate === null
        ? ""
        : `<circle cx="${x(passRate)}" cy="${y}" r="5"><title>${markup(`${percent(passRate)}, ${percentRange(passRateInterval)}`)}</title></circle>`;
    return `<text x="0" y="${y + 4}">${markup(clip(label))}</text>${bar}${dot}<text x="${WIDTH - 52}" y="${y + 4}">${percent(passRate)}</text>`;
  });
  const bottom = 10 + sides.length * 28;
  return svg(bottom + 18, `${grid(x, bottom)}${rows.join("")}`);
}

function grid(x: (rate: number) => number, bottom: number): string {
  const line = (rate: number) => `<line class="grid" x1="${x(rate)}" x2="${x(rate)}" y1="0" y2="${bottom}"/>`;
  const label = (rate: number) => `<text class="scale" text-anchor="middle" x="${x(rate)}" y="${bottom + 14}">${rate * 100} %</text>`;
  return [0, 0.25, 0.5, 0.75, 1].map(line).join("") + [0, 0.5, 1].map(label).join("");
}

function costAgainstQuality({ sides }: Comparison): string {
  const shown = sides.filter(({ costUsd, passRate }) => costUsd !== null && passRate !== null);
  if (shown.length === 0) return "<p>No agent reported its cost.</p>";
  const most = Math.max(...shown.map(({ costUsd }) => costUsd ?? 0), 1e-9);
  const points = shown.map(({ label, costUsd, passRate, tokens, partialTokens, partialCost }) => {
    const [x, y] = [44 + ((costUsd ?? 0) / most) * (WIDTH - 180), 170 - (passRate ?? 0) * 150];
    const cost = atLeast(dollars(costUsd), partialCost === true);
    const about = `${label}: ${percent(passRate)} for ${cost}, ${atLeast(whole(totalTokens(tokens)), partialTokens === true)} tokens`;
    return `<circle cx="${x}" cy="${y}" r="6"><title>${markup(about)}</title></circle><text x="${x + 10}" y="${y + 4}">${markup(clip(label))}</text>`;
  });
  const axes = `<line class="grid" x1="44" x2="${WIDTH - 20}" y1="170" y2="170"/><line class="grid" x1="44" x2="44" y1="14" y2="170"/>`;
  const across = `<text class="scale" x="44" y="188">$0</text><text class="scale" text-anchor="middle" x="${WIDTH - 136}" y="188">${dollars(most)}</text>`;
  const up = `<text class="scale" text-anchor="end" x="38" y="174">0 %</text><text class="scale" text-anchor="end" x="38" y="24">100 %</text>`;
  const silent = sides.filter(({ costUsd }) => costUsd === null).map(({ label }) => label);
  const partial = shown.filter(({ partialCost }) => partialCost).map(({ label }) => label);
  const note = [
    silent.length === 0 ? "" : `<p>Not reported by ${markup(silent.join(", "))}.</p>`,
    partial.length === 0 ? "" : `<p>Reported only in part by ${markup(partial.join(", "))}: a lower bound.</p>`,
  ].join("");
  return `${svg(200, `${axes}${across}${up}${points.join("")}`)}${note}`;
}

function latencies({ sides }: Comparison): string {
  const most = Math.max(...sides.map(({ latencyMs }) => latencyMs.p90 ?? 0), 1);
  const width = (ms: number | null) => ((ms ?? 0) / most) * (WIDTH - LEFT - 60);
  const rows = sides.map(({ label, latencyMs: { p50, p90 } }, index) => {
    const y = 10 + index * 28;
    const bars = `<rect class="faint" x="${LEFT}" y="${y}" height="16" width="${width(p90)}"/><rect x="${LEFT}" y="${y}" height="16" width="${width(p50)}"/>`;
    return `<text x="0" y="${y + 13}">${markup(clip(label))}</text>${bars}<text x="${WIDTH - 52}" y="${y + 13}">${duration(p90)}</text>`;
  });
  return svg(20 + sides.length * 28, rows.join(""));
}

/** How many cases are drawn; the results file has the others. */
const MOST_CASES = 2000;

function heatMap({ sides, cases }: Comparison, isLinked: boolean): string {
  const shown = cases.slice(0, MOST_CASES);
  const rows = shown.map(({ id, cells }) => {
    const colored = cells.map((cell) => {
      const { passes, graded, trials } = cell;
      const shown = markup(cellText(cell));
      const text = isLinked ? `<a href="#${anchorOf(id)}">${shown}</a>` : shown;
      if (trials === 0) return "<td></td>";
      if (graded === 0) return `<td class="none">${text}</td>`;
      return `<td class="heat" style="--rate:${(passes / graded).toFixed(3)}">${text}</td>`;
    });
    return `<tr><th>${markup(id)}</th>${colored.join("")}</tr>`;
  });
  const rest = cases.length > shown.length ? `<p>${cases.length - shown.length} more cases are in the results file.</p>` : "";
  const head = `<tr><th>case</th>${sides.map(({ label }) => `<th>${markup(label)}</th>`).join("")}</tr>`;
  return `<section><h2>Cases</h2><div class="scroll"><table class="map"><thead>${head}</thead><tbody>${rows.join("")}</tbody></table></div>${rest}</section>`;
}

function svg(height: number, inner: string): string {
  return `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" width="${WIDTH}" height="${height}">${inner}</svg>`;
}

function clip(text: string): string {
  return text.length > 18 ? `${text.slice(0, 17)}…` : text;
}
