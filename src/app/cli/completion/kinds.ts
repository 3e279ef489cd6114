import { constants } from "node:os";
import { join } from "node:path";
import type { Argument, Command, Option } from "commander";
import type { Agent } from "../../../pure/pipeline/index.ts";
import { loadSettings, packageRoot } from "../options/index.ts";

export type Candidate = readonly [value: string, description: string];

/** What can be typed here. `rest` is what the shell adds by itself. */
export interface Values {
  readonly values: readonly Candidate[];
  readonly rest: "files" | "dirs" | "none";
}

/** `before` are the arguments in front of the current one. */
type Complete = (typed: string, program: Command, before: readonly string[]) => Values | Promise<Values>;

const MOST_RUNS = 50;

/**
 * How each kind of value is completed. The kind of an option or argument is its placeholder, as the help shows it: `--cwd <dir>`
 * takes a directory. A test fails if a placeholder is missing here.
 */
export const kinds: Readonly<Record<string, Complete>> = {
  ...same(files, ["file", "policy", "prompts", "results", "scenario-file", "path", "program", "key", "server", "args", "command"]),
  ...same(directories, ["dir", "template"]),
  ...same(nothing, [
    "text",
    "line",
    "n",
    "ms",
    "time",
    "age",
    "usd",
    "rate",
    "width",
    "factor",
    "limits",
    "seed",
    "port",
    "address",
    "url",
  ]),
  ...same(nothing, [
    "range",
    "model",
    "glob",
    "rule",
    "names",
    "ids",
    "name",
    "name=value",
    "node",
    "side",
    "part",
    "models",
    "effort",
    "turn",
  ]),
  ...same(variables, ["NAME", "NAME=value"]),
  ...same(runsOrFiles, ["input", "target"]),
  kinds: (typed) => words(["check", "contradiction"], typed),
  level: async () =>
    only([...(await import("../../../pure/isolation/index.ts")).levels].map((name) => [name === "container" ? "container:" : name, ""])),
  network: () => only(["model", "allow:", "open", "none"].map((name) => [name, ""])),
  parts: (typed) => words(["run", "observation"], typed),
  agent: agentsOrFiles,
  "agent-or-path": agentsOrFiles,
  checks: async (typed) => listOf((await import("../../../pure/checks/index.ts")).checks, typed),
  "command-name": (typed, program, [, ...names]) =>
    only(
      commandsOf(
        names.reduce((command, name) => childOf(command, name) ?? command, program),
        typed,
      ),
    ),
  grader: () => ({ values: GRADERS, rest: "files" }),
  "pinned-agent": pinnedAgents,
  run: runs,
  scenario: scenarios,
  schema: schemas,
  signal: () => only(Object.keys(constants.signals).map((name) => [name, ""])),
  status: async () => only([...(await import("../../../pure/events/index.ts")).runStatuses, ...OTHER_STATUSES].map((name) => [name, ""])),
  view: async () => only(Object.values((await import("../../../pure/views/index.ts")).views).map(({ id, title }) => [id, title])),
};

/** A run in the list can also be: */
const OTHER_STATUSES = ["running", "unfinished", "damaged"];

const GRADERS: readonly Candidate[] = [
  ["exact", "the answer equals the hint"],
  ["contains", "the answer contains the hint"],
  ["regex", "the answer matches the hint"],
  ["json-schema:", "the answer is valid JSON for a schema"],
  ["files:", "the workspace holds the expected files"],
  ["checks:", "each task folder has its own checks"],
  ["command:", "a command in the workspace exits with 0"],
  ["llm:", "a judge decides by a rubric"],
];

/** The placeholder of an option or argument; undefined for an option without a value. */
export function kindOf(item: Option | Argument): string | undefined {
  const text = "flags" in item ? /[<[](.+?)[\]>]/.exec(item.flags)?.[1] : item.name();
  return text?.replace(/\.\.\.$/, "");
}

export function childOf(command: Command, name: string): Command | undefined {
  return command.commands.find((child) => child.name() === name || child.aliases().includes(name));
}

/** The visible commands; an alias only once some of it is typed. */
export function commandsOf(command: Command, typed = ""): readonly Candidate[] {
  const visible = command.createHelp().visibleCommands(command);
  return visible.flatMap((child): Candidate[] => [
    [child.name(), child.description()],
    ...child.aliases().flatMap((alias): Candidate[] => (typed === "" ? [] : [[alias, `the same as ${child.name()}`]])),
  ]);
}

function same(complete: Complete, names: readonly string[]): Readonly<Record<string, Complete>> {
  return Object.fromEntries(names.map((name) => [name, complete]));
}

function only(values: readonly Candidate[]): Values {
  return { values, rest: "none" };
}

function files(): Values {
  return { values: [], rest: "files" };
}

function directories(): Values {
  return { values: [], rest: "dirs" };
}

function nothing(): Values {
  return only([]);
}

/** Values with commas between them: the last one is completed. */
function listOf(items: readonly { readonly id: string; readonly title: string }[], typed: string): Values {
  const before = typed.slice(0, typed.lastIndexOf(",") + 1);
  return only(items.map(({ id, title }) => [`${before}${id}`, title]));
}

function words(ids: readonly string[], typed: string): Values {
  return listOf(
    ids.map((id) => ({ id, title: "" })),
    typed,
  );
}

function variables(): Values {
  return only(Object.keys(process.env).map((name) => [name, ""]));
}

/** An agent's own file is typed as a path. */
async function agentsOrFiles(typed: string): Promise<Values> {
  if (/[./\\]/.test(typed)) return files();
  const { agents } = await import("../../../pure/agents/index.ts");
  const known = Object.values<Agent>(agents).map(({ id, title }): Candidate => [id, title]);
  const registered = [...loadSettings().config.agents].flatMap(([id, { file }]): Candidate[] => (file === undefined ? [] : [[id, file]]));
  return only([...known, ...registered]);
}

async function runs(typed: string): Promise<Values> {
  const { dataDirectory, readManifest, runIds, runPaths } = await import("../../../host/recording/index.ts");
  const data = dataDirectory(process.env);
  const ids = runIds(data)
    .filter((id) => id.startsWith(typed))
    .slice(0, MOST_RUNS);
  const about = (id: string) => {
    try {
      const { agent, name, sealed } = readManifest(runPaths(join(data.runs, id)).manifest);
      return [agent, sealed?.status ?? "unfinished", name].filter(Boolean).join(", ");
    } catch {
      return "damaged";
    }
  };
  return only([["last", "the newest run"], ...ids.map((id): Candidate => [id, about(id)])]);
}

async function runsOrFiles(typed: string): Promise<Values> {
  return { ...(await runs(typed)), rest: "files" };
}

async function pinnedAgents(): Promise<Values> {
  const { pins } = await import("../../../work/conformance/index.ts");
  return only([...pins].map(([id, { label }]) => [id, label]));
}

async function scenarios(): Promise<Values> {
  const { corpus, pins } = await import("../../../work/conformance/index.ts");
  return only(corpus(join(packageRoot(), "scenarios"), pins).map(({ name, about }) => [name, about]));
}

async function schemas(): Promise<Values> {
  const { publishedSchemas } = await import("../published-schemas.ts");
  return only(Object.entries(publishedSchemas).map(([name, { title }]) => [name, title]));
}
