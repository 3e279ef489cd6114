import { clip } from "../../base/index.ts";
import type { Step } from "../step.ts";

const COLORS: Readonly<Partial<Record<Step["kind"], string>>> = { call: "#3b6fd4", result: "#3b6fd4", user: "#7a4fc4", code: "#0f8a8a" };

/** For Graphviz; every run is a cluster of its own. */
export function graphDot(steps: readonly Step[], title: string): string {
  const names = new Map(steps.map(({ id }, at) => [id, `n${at}`]));
  const runs = [...new Set(steps.map(({ run }) => run))];
  const lines = [
    "digraph conversation {",
    `  label=${quoted(clip(title, 120))};`,
    '  labelloc="t"; rankdir="TB"; node [shape=box, style=rounded];',
  ];
  for (const [at, run] of runs.entries()) {
    lines.push(`  subgraph cluster_${at} {`, `    label=${quoted(clip(run, 60))}; color="#d6d6d0";`);
    for (const step of steps.filter((one) => one.run === run)) {
      const isBad = step.kind === "error" || step.state === "failed" || step.state === "denied";
      const color = isBad ? "#c9352b" : (COLORS[step.kind] ?? "#646b73");
      lines.push(`    ${names.get(step.id)} [label=${quoted(labelOf(step))}, color="${color}"];`);
    }
    lines.push("  }");
  }
  for (const { id, from } of steps) {
    for (const link of from) lines.push(`  ${names.get(link.id)} -> ${names.get(id)}${link.kind === "return" ? ' [style="dashed"]' : ""};`);
  }
  return [...lines, "}", ""].join("\n");
}

function labelOf({ title, detail, count }: Step): string {
  const head = `${clip(title, 40)}${count > 1 ? ` × ${count}` : ""}`;
  return detail === "" ? head : `${head}\n${clip(detail, 60)}`;
}

/** In a quoted text of DOT only the quote and the backslash mean something; a line break is written. */
function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}
