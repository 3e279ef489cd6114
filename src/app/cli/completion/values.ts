import { constants } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import type { Agent } from "../../../pure/pipeline/index.ts";
import { loadSettings, packageRoot } from "../options/index.ts";

/** A word, and what it means. */
export type Candidate = readonly [value: string, description: string];

export type Values = readonly Candidate[] | "files" | "dirs";

/** More would be no help. */
const MOST_RUNS = 50;

/** What can stand after an option, or as an argument of a command, where commander itself does not know. */
export const valuesFor: Readonly<Record<string, (program: Command) => Values | Promise<Values>>> = {
  "--agent": agentIds,
  "--like": agentIds,
  "--output": () => "files",
  "--view": viewIds,
  "--resume": runNames,
  "--cwd": () => "dirs",
  "--stderr": () => "files",
  "--prompt-file": () => "files",
  "--binary": () => "files",
  "--report": () => "files",
  "--scenario": scenarioNames,
  "--signal": () => Object.keys(constants.signals).map((name) => [name, ""]),
  "harness conformance agent": pinIds,
  "harness derive input": () => "files",
  "harness agents check what": agentIds,
  "harness replay run": runNames,
  "harness check run": runNames,
  "harness runs show run": runNames,
  "harness watch run": runNames,
  "harness runs path run": runNames,
  "harness runs verify run": runNames,
  "harness runs rm run": runNames,
  "harness schemas name": schemaNames,
  "harness help command": commandsOf,
};

/** The commands that the help shows. */
export function commandsOf(command: Command): readonly Candidate[] {
  const visible = command.createHelp().visibleCommands(command);
  return visible.map((child) => [child.name(), child.description()]);
}

async function agentIds(): Promise<Values> {
  const { agents } = await import("../../../pure/agents/index.ts");
  const ours = Object.values<Agent>(agents).map(({ id, title }): Candidate => [id, title]);
  return [...ours, ...[...loadSettings().config.agents].flatMap(([id, { file }]): Candidate[] => (file === undefined ? [] : [[id, file]]))];
}

async function pinIds(): Promise<Values> {
  const { pins } = await import("../../../work/conformance/index.ts");
  return [...pins].map(([id, { label }]) => [id, label]);
}

async function scenarioNames(): Promise<Values> {
  const { corpus, pins } = await import("../../../work/conformance/index.ts");
  return corpus(join(packageRoot(), "scenarios"), pins).map(({ name, about }) => [name, about]);
}

async function runNames(): Promise<Values> {
  const { dataDirectory, runIds } = await import("../../../host/recording/index.ts");
  const ids = runIds(dataDirectory(process.env)).slice(0, MOST_RUNS);
  return [["last", "the newest run"], ...ids.map((id): Candidate => [id, ""])];
}

async function viewIds(): Promise<Values> {
  const { views } = await import("../../../pure/views/index.ts");
  return Object.values(views).map(({ id, title }) => [id, title]);
}

async function schemaNames(): Promise<Values> {
  const { publishedSchemas } = await import("../published-schemas.ts");
  return Object.entries(publishedSchemas).map(([name, { title }]) => [name, title]);
}
