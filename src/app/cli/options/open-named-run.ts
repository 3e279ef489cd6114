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

/** The agent of `--agent`: a built-in one, one from the user's settings, or a file. */
export async function namedAgent(name: string): Promise<Agent> {
  const isBuiltIn = knownAgent(name) !== undefined || isAgentFile(name); // then broken settings do not matter
  return agentNamed(name, isBuiltIn ? undefined : registeredAgents(loadSettings().config));
}

/** Opens the run with that name, and says so if it had to be completed first. */
export async function openNamedRun(name: string, given?: Agent): Promise<OpenedRun> {
  return openAndReport(findRun(ourData(), name), given);
}

/** `given` completes a run if its own agent is not available in the recorded version. */
export async function openAndReport(directory: string, given?: Agent): Promise<OpenedRun> {
  const run = await openRun(directory, given);
  if (run.notice !== undefined) say(run.notice);
  return run;
}

export function reportDamage(directory: string): (damages: readonly Damage[]) => void {
  return (damages) => {
    const notice = damageNotice(directory, damages);
    if (notice !== undefined) say(notice);
  };
}
