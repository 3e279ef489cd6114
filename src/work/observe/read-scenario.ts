import { readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { reasonOf } from "../../host/files/index.ts";
import { codeOf, HarnessError } from "../../pure/base/index.ts";
import type { Constraint } from "../../pure/events/index.ts";
import { entriesOf, type Field, itemsOf, keysOf, required, stringOf, yamlField } from "../model/index.ts";
import { CONSTRAINT_ID, refusedOptions, unknownConstraint } from "./known-constraints.ts";
import { markdownScenario } from "./markdown-scenario.ts";
import { constraintOf, prohibitionOf, type Scenario, successOf } from "./scenario.ts";

const LARGEST = 1024 * 1024;
const ID = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** Reads a scenario: Markdown, YAML or JSON. Errors name the line and come before anything runs. */
export function readScenario(file: string): Scenario {
  const text = contents(file);
  if (/\.(?:md|markdown)$/i.test(file)) return markdownScenario(text, file, nameOf(file));
  if (/\.(?:ya?ml|json)$/i.test(file)) return yamlScenario(text, file);
  throw new HarnessError("input", `${file} is not a scenario: its name must end in .md, .yaml, .yml or .json.`);
}

const KEYS = ["id", "objective", "request", "constraints", "prohibited", "success"];

export function yamlScenario(text: string, file: string): Scenario {
  const root = yamlField(text, file);
  const keys = keysOf(root, KEYS, "a scenario");
  const id = idOf(keys.get("id"), file);
  const objective = keys.get("objective");
  const request = filled(required(root, keys, "request"));
  const constraints = listed(keys.get("constraints"), "constraints").map(constraint);
  refuseDoubles(constraints, keys.get("constraints"));
  return {
    id,
    ...(objective !== undefined && { objective: filled(objective) }),
    request,
    constraints: [
      ...constraints,
      ...listed(keys.get("prohibited"), "texts").map((field, index) => prohibitionOf(filled(field), index)),
      ...listed(keys.get("success"), "texts").map((field, index) => successOf(filled(field), index)),
    ],
  };
}

function idOf(field: Field | undefined, file: string): string {
  const id = field === undefined ? nameOf(file) : stringOf(field);
  if (field !== undefined && !ID.test(id))
    throw field.wrong("must consist of letters, digits, dots, dashes and underscores, as in fix-the-login.");
  return id;
}

function constraint(field: Field): Constraint {
  const isBare = typeof field.value === "string";
  const entries = isBare ? new Map([["id", field]]) : entriesOf(field, "the id of a constraint, or { id: …, … }");
  const id = constraintId(required(field, entries, "id"));
  const rule = entries.get("rule");
  if (rule === undefined && id.startsWith("custom.")) throw field.wrong(`has no rule. Write { id: ${id}, rule: "…" }.`);
  const options = Object.fromEntries(
    [...entries].filter(([key]) => key !== "id" && key !== "rule").map(([key, { value }]) => [key, value] as const),
  );
  const refused = refusedOptions(id, options);
  if (refused !== undefined) throw (entries.get(refused.name ?? "") ?? field).wrong(`${refused.problem}.`);
  return constraintOf(id, rule === undefined ? undefined : filled(rule), options);
}

function constraintId(field: Field): string {
  const id = stringOf(field);
  const problem = unknownConstraint(id);
  if (problem !== undefined) throw field.wrong(`is unknown: ${problem}`);
  if (CONSTRAINT_ID.test(id)) return id;
  throw field.wrong('must be the id of a constraint, such as output.json_only. Write your own as { id: custom.name, rule: "…" }.');
}

function refuseDoubles(constraints: readonly Constraint[], field: Field | undefined): void {
  const twice = constraints.findIndex(({ id }, index) => constraints.findIndex((each) => each.id === id) < index);
  if (twice >= 0 && field !== undefined) throw field.child(twice, undefined).wrong("appears twice. Keep one.");
}

function listed(field: Field | undefined, what: string): readonly Field[] {
  return field === undefined ? [] : itemsOf(field, what);
}

function filled(field: Field): string {
  const text = stringOf(field).trim();
  if (text === "") throw field.wrong("is empty. Fill it in, or leave it out.");
  return text;
}

function nameOf(file: string): string {
  const name = basename(file)
    .replace(/\.[^.]*$/, "")
    .replace(/[^A-Za-z0-9._-]+/g, "-");
  return ID.test(name) ? name : "scenario";
}

function contents(file: string): string {
  try {
    if (!statSync(file).isFile()) throw new HarnessError("input", `${file} is not a file.`, { option: "scenario" });
    const text = readFileSync(file, "utf8");
    if (text.length <= LARGEST) return text;
  } catch (error) {
    if (error instanceof HarnessError) throw error;
    const isGone = codeOf(error) === "ENOENT";
    const why = isGone ? "there is no such file" : reasonOf(error);
    throw new HarnessError("input", `Cannot read the scenario ${file}: ${why}.`, { cause: error, option: isGone ? "scenario" : undefined });
  }
  throw new HarnessError("input", `${file}:1: the scenario is larger than 1 MiB. Put long material into the workspace.`);
}
