import { clipped, HarnessError } from "../../pure/base/index.ts";
import type { Constraint } from "../../pure/events/index.ts";
import { refusedOptions, unknownConstraint } from "./known-constraints.ts";
import { constraintOf, KNOWN_RULES, prohibitionOf, type Scenario, successOf } from "./scenario.ts";

const SECTIONS = ["Objective", "User Request", "Explicit Constraints", "Prohibited Actions", "Success Criteria"] as const;
type Section = (typeof SECTIONS)[number];

/** More of a heading is not repeated in an error. */
const LONGEST_NAME = 200;

interface Line {
  readonly text: string;
  readonly number: number;
}

/** Reads a Markdown scenario with one heading per section. A different first heading is a title. */
export function markdownScenario(text: string, file: string, id: string): Scenario {
  const wrong = (line: number, message: string) => new HarnessError("input", `${file}:${line}: ${message}`);
  const sections = sectionsOf(text, wrong);
  const request = sections.get("User Request");
  if (request === undefined) throw wrong(1, 'the section "## User Request" is missing. Write the task for the agent under that heading.');
  const body = (section: Section) => proseOf(sections.get(section)?.lines ?? []);
  const objective = body("Objective");
  if (body("User Request") === "")
    throw wrong(request.heading, '"User Request" is empty. Write the task for the agent under this heading.');
  const items = (section: Section) => itemsOf(section, sections.get(section)?.lines ?? [], wrong);
  return {
    id,
    ...(objective !== "" && { objective }),
    request: body("User Request"),
    constraints: [
      ...constraintsOf(items("Explicit Constraints"), wrong),
      ...items("Prohibited Actions").map(({ text: rule }, index) => prohibitionOf(rule, index)),
      ...items("Success Criteria").map(({ text: rule }, index) => successOf(rule, index)),
    ],
  };
}

type Wrong = (line: number, message: string) => HarnessError;

function sectionsOf(text: string, wrong: Wrong): Map<Section, { readonly heading: number; readonly lines: Line[] }> {
  const sections = new Map<Section, { heading: number; lines: Line[] }>();
  let current: Line[] | undefined;
  let fence: string | undefined;
  let isFirst = true;
  for (const [index, raw] of text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .entries()) {
    const line: Line = { text: raw.replace(/\r$/, ""), number: index + 1 };
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line.text)?.[1];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) fence = fence === undefined ? mark : undefined;
    const heading = fence === undefined ? headingIn(line.text) : undefined;
    if (heading === undefined) {
      current?.push(line);
      continue;
    }
    const name = SECTIONS.find((section) => section.toLowerCase() === heading.title.toLowerCase());
    const isTitle = isFirst && heading.level === 1;
    isFirst = false;
    if (name === undefined && isTitle) continue;
    if (name === undefined)
      throw wrong(
        line.number,
        `"${clipped(heading.title, LONGEST_NAME)}" is not a section of a scenario. Its sections are ${SECTIONS.join(", ")}.`,
      );
    if (sections.has(name)) throw wrong(line.number, `"${name}" appears twice. Put both under one heading.`);
    current = [];
    sections.set(name, { heading: line.number, lines: current });
  }
  return sections;
}

/** A heading of the first or second level. Linear: one expression for all of it tries every way to divide spaces and hashes. */
function headingIn(text: string): { readonly level: number; readonly title: string } | undefined {
  const [, marks, rest] = /^(##?)\s(.*)$/s.exec(text) ?? [];
  if (marks === undefined || rest === undefined) return undefined;
  const written = rest.trim();
  let end = written.length;
  while (written[end - 1] === "#") end--;
  const title = written.slice(0, end).trim() || written;
  return title === "" ? undefined : { level: marks.length, title };
}

function proseOf(lines: readonly Line[]): string {
  return lines
    .map(({ text }) => text)
    .join("\n")
    .trim();
}

/** The items of a list, with their continuation lines. */
function itemsOf(section: Section, lines: readonly Line[], wrong: Wrong): readonly Line[] {
  const items: { text: string; number: number }[] = [];
  for (const { text, number } of lines) {
    if (text.trim() === "") continue;
    const item = /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(.+)$/.exec(text);
    const last = items.at(-1);
    if (item !== null) items.push({ text: (item[1] ?? "").trim(), number });
    else if (last !== undefined && /^\s/.test(text)) last.text += ` ${text.trim()}`;
    else throw wrong(number, `"${section}" is a list. Start each item with "- ".`);
  }
  return items;
}

/** `output.json_only`, the same with a custom rule after a colon, or a sentence, which is a constraint that cannot be checked. */
function constraintsOf(items: readonly Line[], wrong: Wrong): readonly Constraint[] {
  const found = new Map<string, Constraint>();
  for (const [index, { text, number }] of items.entries()) {
    const [, id, rule] = /^`?([a-z][a-z0-9_]*(?:\.[a-z0-9_]+)+)`?\s*(?::\s*(.+))?$/.exec(text) ?? [];
    const problem = id === undefined ? undefined : unknownConstraint(id);
    if (problem !== undefined) throw wrong(number, problem);
    const refused = id === undefined ? undefined : refusedOptions(id, {});
    if (refused !== undefined) throw wrong(number, `"${id}" ${refused.problem}. Use a YAML scenario, which supports options.`);
    const constraint = id === undefined ? constraintOf(`custom.${index + 1}`, text) : constraintOf(id, rule);
    if (id !== undefined && rule === undefined && id.startsWith("custom."))
      throw wrong(number, `"${id}" has no rule. Write "- ${id}: " and its rule, or one of ${Object.keys(KNOWN_RULES).join(", ")}.`);
    if (found.has(constraint.id)) throw wrong(number, `"${constraint.id}" appears twice. Keep one.`);
    found.set(constraint.id, constraint);
  }
  return [...found.values()];
}
