import { clip } from "../../base/index.ts";
import type { Step } from "../step.ts";
import { labelOf } from "./label-of.ts";
import { toneOf, tones } from "./tones.ts";

/** For Mermaid, which GitHub and others show in Markdown files; every run is a subgraph. */
export function graphMermaid(steps: readonly Step[], title: string): string {
  const names = new Map(steps.map(({ id }, at) => [id, `n${at}`]));
  const runs = [...new Set(steps.map(({ run }) => run))];
  const lines = [`%% ${harmless(clip(title, 120))}`, "flowchart TB"];
  for (const [at, run] of runs.entries()) {
    lines.push(`  subgraph r${at}["${harmless(clip(run, 60))}"]`);
    for (const step of steps.filter((one) => one.run === run)) {
      const tone = toneOf(step);
      const style = tone === "bad" || tone === "call" ? `:::${tone}` : "";
      lines.push(`    ${names.get(step.id)}["${labelOf(step).map(harmless).join("<br/>")}"]${style}`);
    }
    lines.push("  end");
  }
  for (const { id, from } of steps) {
    for (const link of from) lines.push(`  ${names.get(link.id)} ${link.kind === "return" ? "-.->" : "-->"} ${names.get(id)}`);
  }
  return [...lines, `  classDef bad stroke:${tones.bad.light},stroke-width:2px`, `  classDef call stroke:${tones.call.light}`, ""].join(
    "\n",
  );
}

/** Mermaid reads HTML and Markdown in labels, so everything except letters, digits, spaces and simple signs becomes a character code. */
function harmless(text: string): string {
  return text.replace(/[^\p{L}\p{N} .,:;/_=+…·-]/gu, (character) => `#${character.codePointAt(0)};`);
}
