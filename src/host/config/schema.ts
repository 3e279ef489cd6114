import { isAgentFile } from "../../pure/agents/index.ts";
import { DURATION_FORM, parseDuration } from "../../pure/base/index.ts";
import { isolationOf } from "../../pure/isolation/index.ts";
import type { Agent } from "../../pure/pipeline/index.ts";
import { LIMIT_FORM, parseResourceLimits } from "../limits/index.ts";
import type { SettingValue } from "./setting.ts";

/** The names to check values against, if the caller knows them. */
export interface Known {
  readonly agents?: readonly Pick<Agent, "id" | "aliases">[];
  readonly views?: readonly string[];
}

/** A key that holds a value. */
export interface Leaf {
  readonly type: "leaf";
  /** What the value must be, for the error message. */
  readonly expects: string;
  accepts(value: unknown): value is SettingValue;
  /** Whether messages must not repeat the value. */
  readonly private?: true;
  /** Why a project's file may not set it, or not to this value. */
  refused?(value: unknown): Refusal | undefined;
}

export interface Refusal {
  readonly why: string;
  /** The field that does the same for a single run. */
  readonly instead: string;
  /** The setting is left out and named, instead of rejecting the file: earlier versions accepted it. */
  readonly isIgnored?: true;
}

/** A table with exactly these keys. */
export interface Table {
  readonly type: "table";
  readonly keys: ReadonlyMap<string, Node>;
}

/** A table with names that the user chooses as keys. */
export interface Names {
  readonly type: "names";
  readonly of: "agent" | "alias" | "variable";
  readonly each: Node;
  readonly refused?: Refusal;
}

export type Node = Leaf | Table | Names;

/** All keys. docs/reference/config.md describes them. */
export function schema({ views }: Known = {}): Table {
  return table({
    agent: leaf("the id of an agent; register a file with file = … in [agents.<id>]", isAgentName),
    model: modelOfUser,
    permissions,
    isolate,
    network,
    timeout: duration,
    "idle-timeout": duration,
    limit: userOnly(leaf(LIMIT_FORM, isLimits), "it could raise your own limits", "resourceLimits"),
    view: views === undefined ? leaf("the id of a view", isWord) : oneOf(views),
    tags: leaf("a list of non-empty strings", isList(isWord)),
    env: variables,
    secrets: userOnly(leaf("a list of variable names", isList(isVariable)), "a mask can hide what was done", "secrets"),
    agents: {
      type: "names",
      of: "agent",
      each: table({
        file: userOnly(leaf("the path of a module or a schema", isWord), "a module is a program", "agent"),
        binary: userOnly(leaf("a program's path or name", isWord), "it decides which program runs", "binary"),
        model: modelOfUser,
        permissions,
        args: userOnly(leaf("a list of arguments", isList(isText)), "it decides what the program may do", "extraArgs"),
        models: { type: "names", of: "alias", each: model, refused: elsewhere },
        env: variables,
      }),
    },
  });
}

export function isVariable(name: unknown): name is string {
  return typeof name === "string" && /^[^=\0]+$/.test(name);
}

function table(keys: Readonly<Record<string, Node>>): Table {
  return { type: "table", keys: new Map(Object.entries(keys)) };
}

function leaf<T extends SettingValue>(expects: string, accepts: (value: unknown) => value is T): Leaf {
  return { type: "leaf", expects, accepts };
}

function userOnly(leaf: Leaf, why: string, instead: string): Leaf {
  return { ...leaf, refused: () => ({ why, instead }) };
}

function oneOf(values: readonly string[]): Leaf {
  const quoted = values.map((value) => `"${value}"`);
  const expects = `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
  return leaf(expects, (value): value is string => typeof value === "string" && values.includes(value));
}

function isText(value: unknown): value is string {
  return typeof value === "string" && !value.includes("\0");
}

/** Printable text on one line. */
function isWord(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "" && !/\p{Cc}/u.test(value);
}

function isAgentName(value: unknown): value is string {
  return isWord(value) && !isAgentFile(value);
}

/** Several CLIs read a model that starts with a dash as an option, and `--yolo` would turn off all permission checks. */
function isModel(value: unknown): value is string {
  return isWord(value) && !value.trimStart().startsWith("-");
}

function isDuration(value: unknown): value is string | number {
  return (typeof value === "string" || typeof value === "number") && parseDuration(String(value)) !== undefined;
}

function isLimits(value: unknown): value is string {
  return typeof value === "string" && parseResourceLimits(value) !== undefined;
}

function isList<T>(isItem: (value: unknown) => value is T) {
  return (value: unknown): value is readonly T[] => Array.isArray(value) && value.every(isItem);
}

const model: Leaf = leaf("a model name that does not start with a dash", isModel);

/** Many models are named `provider/model`, so a name decides which server gets the code. */
const elsewhere: Refusal = { why: "it decides which server gets your code", instead: "model", isIgnored: true };

const modelOfUser: Leaf = { ...model, refused: () => elsewhere };

const duration: Leaf = leaf(DURATION_FORM, isDuration);

const permissions: Leaf = {
  ...oneOf(["full", "default", "read-only"]),
  refused: (value) =>
    value === "read-only" ? undefined : { why: 'a project may only take permissions away ("read-only")', instead: "permissions" },
};

const isolate: Leaf = {
  ...leaf("none, process, files, sealed or container:<image>", isIsolation),
  refused: (value) =>
    value === "files" || value === "sealed" ? undefined : { why: 'a project may only ask for "files" or "sealed"', instead: "isolate" },
};

const network: Leaf = {
  ...leaf("model, allow:<hosts>, open or none", (value): value is string => isWord(value) && /^(?:model|open|none|allow:.+)$/.test(value)),
  refused: (value) =>
    value === "model" || value === "none" ? undefined : { why: 'a project may only ask for "model" or "none"', instead: "network" },
};

function isIsolation(value: unknown): value is string {
  try {
    return isWord(value) && isolationOf(value) !== undefined;
  } catch {
    return false;
  }
}

const variables: Names = {
  type: "names",
  of: "variable",
  each: { ...leaf("a string without NUL", isText), private: true },
  refused: { why: "a variable can make a program run another", instead: "env" },
};
