import { constants } from "node:os";
import type { Command } from "commander";
import type { Agent } from "../../../pure/pipeline/agent.ts";

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
  "harness sessions show run": runNames,
  "harness watch run": runNames,
  "harness sessions path run": runNames,
  "harness sessions verify run": runNames,
  "harness sessions rm run": runNames,
  "harness schemas name": schemaNames,
  "harness help command": commandsOf,
};

/** The commands that the help shows. */
export function commandsOf(command: Command): readonly Candidate[] {
  const visible = command.createHelp().visibleCommands(command);
  return visible.map((child) => [child.name(), child.description()]);
}

async function agentIds(): Promise<Values> {
  const { agents, loadSettings } = await import("../actions.ts");
  const ours = Object.values<Agent>(agents).map(({ id, title }): Candidate => [id, title]);
  return [...ours, ...[...loadSettings().config.agents].flatMap(([id, { file }]): Candidate[] => (file === undefined ? [] : [[id, file]]))];
}

async function pinIds(): Promise<Values> {
  const { pins } = await import("../../../work/conformance/agents/index.ts");
  return [...pins].map(([id, { label }]) => [id, label]);
}

async function scenarioNames(): Promise<Values> {
  const { scenarioList } = await import("../conformance/scenario-list.ts");
  return scenarioList();
}

async function runNames(): Promise<Values> {
  const { runIds, dataDirectory } = await import("../actions.ts");
  const ids = runIds(dataDirectory(process.env)).slice(0, MOST_RUNS);
  return [["last", "the newest run"], ...ids.map((id): Candidate => [id, ""])];
}

async function viewIds(): Promise<Values> {
  const { views } = await import("../actions.ts");
  return Object.values(views).map(({ id, title }) => [id, title]);
}

async function schemaNames(): Promise<Values> {
  const { schemas } = await import("../../../work/schemas/index.ts");
  return Object.entries(schemas).map(([name, { title }]) => [name, title]);
}
