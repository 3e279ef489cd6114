import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { basename, dirname, extname, resolve } from "node:path";
import { isModule } from "../../../host/process/index.ts";
import { errorWords, HarnessError, isObject } from "../../../pure/base/index.ts";
import { checks, PLACES, refusedOption } from "../../../pure/checks/index.ts";
import type { CallRule } from "../../../pure/events/index.ts";
import { entriesOf, type Field, itemsOf, keysOf, required, stringOf, yamlField } from "../../model/index.ts";
import { GROUPS, type PolicyEntry } from "./policy.ts";

const LARGEST = 1024 * 1024;
const ID = /^[A-Za-z0-9][\w.-]*$/;

/** Reads a policy: a YAML file, or a module that is a single check. Errors name the line and come before anything is judged. */
export function readPolicy(file: string, isForeign = false): readonly PolicyEntry[] {
  return readWholePolicy(file, isForeign).entries;
}

/** A policy with the rules that decide calls before they run. */
export interface WholePolicy {
  readonly entries: readonly PolicyEntry[];
  readonly allow: readonly (string | CallRule)[];
  readonly deny: readonly (string | CallRule)[];
  /** Of the file. */
  readonly hash: string;
}

/** `isForeign`: its modules are left out, because they are code that anyone may have written. */
export function readWholePolicy(file: string, isForeign = false): WholePolicy {
  const path = resolve(file);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() !== true) throw new HarnessError("input", `Policy not found: ${file}. Check the path.`);
  if (isModule(path)) {
    const id = basename(path, extname(path));
    const entry = { kind: "module" as const, id: ID.test(id) ? id : "module", group: "policy" as const, path, options: {} };
    return { entries: [entry], allow: [], deny: [], hash: hashOf(textIn(path, file)) };
  }
  if (stats.size > LARGEST) throw new HarnessError("input", `${file}:1: the policy is larger than 1 MiB.`);
  const text = textIn(path, file);
  const root = yamlField(text, file, "the policy");
  const keys = keysOf(root, ["name", "checks", "allow", "deny"], "a policy");
  const given = keys.has("allow") || keys.has("deny") ? keys.get("checks") : required(root, keys, "checks");
  const entries = (given === undefined ? [] : itemsOf(given, "checks")).flatMap((field) =>
    isForeign && isObject(field.value) && "module" in field.value ? [] : [entryOf(field, dirname(path))],
  );
  const ids = entries.map(nameOf);
  const twice = ids.findIndex((id, index) => ids.indexOf(id) < index);
  if (twice !== -1) throw required(root, keys, "checks").child(twice, undefined).wrong(`repeats the id ${ids[twice]}.`);
  return { entries, allow: rulesOf(keys.get("allow")), deny: rulesOf(keys.get("deny")), hash: hashOf(text) };
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A glob for a tool, its kind or a command; or a tool with globs for its `path`, `command` or other parameters. */
function rulesOf(field: Field | undefined): readonly (string | CallRule)[] {
  if (field === undefined) return [];
  return itemsOf(field, "rules").map((item) => {
    if (typeof item.value === "string") return stringOf(item);
    const keys = entriesOf(item, "a rule: a glob, or { tool: …, path: … }");
    const tool = stringOf(required(item, keys, "tool"));
    const params = Object.fromEntries([...keys].flatMap(([name, value]) => (name === "tool" ? [] : [[name, stringOf(value)]])));
    return { tool, params };
  });
}

function textIn(path: string, file: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new HarnessError("input", `Cannot read the policy ${file}: ${errorWords(error)}.`, { cause: error });
  }
}

export function nameOf(entry: PolicyEntry): string {
  return entry.kind === "rule" ? entry.rule.id : entry.id;
}

/** A bare id; a mapping with `in` is a rule, one with `module` a module, and any other one of our checks with options. */
function entryOf(field: Field, folder: string): PolicyEntry {
  if (typeof field.value === "string") return known(field, field.value, {}, field);
  const keys = entriesOf(field, "a check: an id, or { id: …, … }");
  const id = stringOf(required(field, keys, "id"));
  if (!ID.test(id))
    throw field.child("id", id).wrong("must consist of letters, digits, dots, dashes and underscores, as in custom.no_todo.");
  if (keys.has("in")) return ruleOf(field, id);
  if (keys.has("module")) return moduleOf(field, id, folder);
  const options = Object.fromEntries([...keys].filter(([key]) => key !== "id").map(([key, { value }]) => [key, value]));
  return known(field, id, options, keys.get("id") ?? field);
}

function known(field: Field, id: string, options: Readonly<Record<string, unknown>>, at: Field): PolicyEntry {
  const check = checks.find((each) => each.id === id);
  if (check === undefined)
    throw at.wrong(`is not a check. The checks are ${checks.map((each) => each.id).join(", ")}. Your own check needs "in" or "module".`);
  const refused = refusedOption(check, options);
  if (refused?.name !== undefined) throw field.child(refused.name, undefined).wrong(`${refused.problem}.`);
  if (refused !== undefined) throw at.wrong(`${refused.problem}.`);
  return { kind: "check", id, options };
}

function ruleOf(field: Field, id: string): PolicyEntry {
  const keys = keysOf(field, ["id", "title", "group", "in", "forbid", "require", "paths", "severity"], "a rule");
  const place = oneOf(required(field, keys, "in"), PLACES);
  const forbid = textsOf(keys.get("forbid"));
  const require = textsOf(keys.get("require"));
  if (forbid.length + require.length === 0) throw field.wrong('needs "forbid" or "require": text that must not appear, or text that must.');
  if (place !== "paths")
    for (const [name, texts] of [
      ["forbid", forbid],
      ["require", require],
    ] as const)
      for (const text of texts) compiled(keys.get(name) ?? field, text);
  const severity = keys.get("severity");
  return {
    kind: "rule",
    rule: {
      id,
      title: keys.has("title") ? stringOf(required(field, keys, "title")) : id,
      group: groupOf(keys.get("group")),
      in: place,
      forbid,
      require,
      paths: textsOf(keys.get("paths")),
      severity: severity === undefined ? "fail" : oneOf(severity, ["fail", "warn"]),
    },
  };
}

function moduleOf(field: Field, id: string, folder: string): PolicyEntry {
  const keys = keysOf(field, ["id", "group", "module", "options"], "a check of a module");
  const named = required(field, keys, "module");
  const path = resolve(folder, stringOf(named));
  if (!isModule(path) || statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
    throw named.wrong("must be a module (.mjs, .js, .ts, .mts) next to the policy.");
  const options = keys.get("options");
  if (options !== undefined) entriesOf(options, "options");
  return {
    kind: "module",
    id,
    group: groupOf(keys.get("group")),
    path,
    options: (options?.value ?? {}) as Readonly<Record<string, unknown>>,
  };
}

function groupOf(field: Field | undefined): (typeof GROUPS)[number] {
  return field === undefined ? "policy" : oneOf(field, GROUPS);
}

function oneOf<const Value extends string>(field: Field, values: readonly Value[]): Value {
  const value = stringOf(field);
  const found = values.find((each) => each === value);
  if (found === undefined) throw field.wrong(`must be ${values.join(", ")}.`);
  return found;
}

function textsOf(field: Field | undefined): readonly string[] {
  if (field === undefined) return [];
  return typeof field.value === "string" ? [field.value] : itemsOf(field, "texts").map(stringOf);
}

function compiled(field: Field, text: string): void {
  try {
    new RegExp(text, "u");
  } catch (error) {
    throw field.wrong(`is not a regular expression: ${errorWords(error)}`);
  }
}
