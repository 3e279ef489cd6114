import { clip } from "../../base/index.ts";
import type { Step } from "../step.ts";
import { labelOf } from "./label-of.ts";
import { toneOf, tones } from "./tones.ts";

/** For Graphviz; every run is a cluster. */
export function graphDot(steps: readonly Step[], title: string): string {
  const names = new Map(steps.map(({ id }, at) => [id, `n${at}`]));
  const runs = [...new Set(steps.map(({ run }) => run))];
  const lines = [
    "digraph conversation {",
    `  label=${quoted(clip(title, 120))};`,
    '  labelloc="t"; rankdir="TB"; node [shape=box, style=rounded];',
  ];
  for (const [at, run] of runs.entries()) {
    lines.push(`  subgraph cluster_${at} {`, `    label=${quoted(clip(run, 60))}; color="${tones.edge.light}";`);
    for (const step of steps.filter((one) => one.run === run))
      lines.push(`    ${names.get(step.id)} [label=${quoted(labelOf(step).join("\n"))}, color="${tones[toneOf(step)].light}"];`);
    lines.push("  }");
  }
  for (const { id, from } of steps) {
    for (const link of from) lines.push(`  ${names.get(link.id)} -> ${names.get(id)}${link.kind === "return" ? ' [style="dashed"]' : ""};`);
  }
  return [...lines, "}", ""].join("\n");
}

/** In a quoted DOT string only the quote and the backslash are special; a line break is written as `\n`. */
function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}
