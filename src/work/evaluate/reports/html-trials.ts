import { clipped, dollars, duration, markup, numberOf, objectOf } from "../../../pure/base/index.ts";
import type { TrajectoryStep } from "../../../pure/views/index.ts";
import { spentIn } from "../compare/index.ts";
import { anchorOf, type ShownTrial } from "./shown-trials.ts";

const MOST_TEXT = 20_000;
const MOST_STEP = 2000;
const MOST_STEPS = 200;

/** Every trial, folded: verdict, reasoning, answer, diff and transcript. Everything that an agent or a user wrote is escaped. */
export function* htmlTrials(trials: Iterable<ShownTrial>): Generator<string> {
  let last = "";
  const seen = new Set<string>();
  yield "<section><h2>Trials</h2>";
  for (const trial of trials) {
    const anchor = anchorOf(trial.side, trial.id);
    const first = seen.has(trial.id) ? "" : `<span id="${anchorOf(trial.id)}"></span>`; // the table of cases links here
    seen.add(trial.id);
    if (anchor !== last)
      yield `${last === "" ? "" : "</div>"}${first}<div class="case" id="${anchor}"><h3>${markup(trial.id)} <small>${markup(trial.side)}</small></h3>`;
    last = anchor;
    yield htmlTrial(trial);
  }
  yield `${last === "" ? "<p>There are none.</p>" : "</div>"}</section>`;
}

function htmlTrial(trial: ShownTrial): string {
  const { number, class: kind, reason, reasoning, output, steps, durationMs, line } = trial;
  const { cost } = spentIn(trial.trial);
  const computed = numberOf(objectOf(trial.trial["computedCost"])?.["costUsd"]);
  const price = cost !== undefined ? dollars(cost) : computed === undefined ? "" : `~${dollars(computed)}`;
  const facts = [`trial ${number}`, duration(durationMs ?? null), price].filter((fact) => fact !== "").map(markup);
  const diff = trial.diff();
  const parts = [
    part("Why", [reasoning, kind === "passed" ? undefined : reason].filter((text) => text !== undefined).join("\n")),
    part("Task", typeof line["input"] === "string" ? line["input"] : JSON.stringify(line["input"] ?? "")),
    part("Expected", typeof line["expected"] === "string" ? line["expected"] : ""),
    part("Answer", output),
    diff === "" ? "" : `<details><summary>Changes</summary><pre>${markup(clipped(diff, MOST_TEXT))}</pre></details>`,
    steps.length === 0
      ? ""
      : `<details><summary>Transcript: ${steps.length} steps</summary>${steps.slice(0, MOST_STEPS).map(step).join("")}${steps.length > MOST_STEPS ? `<p>${steps.length - MOST_STEPS} more steps are in the recording.</p>` : ""}</details>`,
  ];
  return `<details class="trial"><summary><b class="${kind}">${markup(kind.replaceAll("_", " "))}</b> ${facts.join(" · ")}</summary>${parts.join("")}</details>\n`;
}

function part(title: string, text: string): string {
  return text.trim() === "" ? "" : `<h4>${title}</h4><pre>${markup(clipped(text, MOST_TEXT))}</pre>`;
}

function step(each: TrajectoryStep): string {
  const text =
    each.type === "tool_call"
      ? `${each.name} (${each.status})\n${JSON.stringify(each.input ?? null)}\n${JSON.stringify(each.output ?? null)}`
      : each.type === "plan"
        ? JSON.stringify(each.entries)
        : each.content;
  return `<p class="step">${markup(each.type.replaceAll("_", " "))} <small>${markup(duration(each.timestamp))}</small></p><pre>${markup(clipped(text, MOST_STEP))}</pre>`;
}
