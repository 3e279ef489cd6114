import { registeredAgents } from "../../../host/config/index.ts";
import {
  agentNamed,
  type Damage,
  type DataDirectory,
  damageNotice,
  dataDirectory,
  findRun,
  type OpenedRun,
  openRun,
} from "../../../host/recording/index.ts";
import { isAgentFile, knownAgent } from "../../../pure/agents/index.ts";
import type { Agent } from "../../../pure/pipeline/index.ts";
import { say } from "../../terminal/index.ts";
import { loadSettings } from "./settings.ts";

export function ourData(): DataDirectory {
  return dataDirectory(process.env);
}

/** The agent that a user has named with --agent: one of ours, one of the user's settings, or a file. */
export async function namedAgent(name: string): Promise<Agent> {
  const isOurs = knownAgent(name) !== undefined || isAgentFile(name); // then the settings have no say, and need not even be right
  return agentNamed(name, isOurs ? undefined : registeredAgents(loadSettings().config));
}

/** The run of that name. One that had to be completed is said to have been. */
export async function openNamedRun(name: string, given?: Agent): Promise<OpenedRun> {
  return openAndReport(findRun(ourData(), name), given);
}

/** `given` finishes a run whose own agent, which it is, cannot be had as it was. */
export async function openAndReport(directory: string, given?: Agent): Promise<OpenedRun> {
  const run = await openRun(directory, given);
  if (run.notice !== undefined) say(run.notice);
  return run;
}

/** On stderr: which records cannot be read. */
export function reportDamage(directory: string): (damages: readonly Damage[]) => void {
  return (damages) => {
    const notice = damageNotice(directory, damages);
    if (notice !== undefined) say(notice);
  };
}
