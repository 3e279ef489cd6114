import { agentNamed, type RunOptions } from "../../../host/recording/index.ts";
import type { Agent } from "../../../pure/pipeline/index.ts";
import type { Grader } from "./grader.ts";

/** Agents, graders and policies passed as code, by their names in specs. Other processes do not know them. */
export interface LocalCode {
  readonly agents: Map<string, Agent>;
  readonly graders: Map<string, Grader>;
  readonly policies: Map<string, NonNullable<RunOptions["enforce"]>>;
}

export function localCode(): LocalCode {
  return { agents: new Map(), graders: new Map(), policies: new Map() };
}

/** The agent's name in a spec. An agent passed as an object is registered under that name. */
export function nameOfAgent(agent: string | Agent, { agents }: LocalCode): string {
  if (typeof agent === "string") return agent;
  const name = agent.origin?.path ?? agent.id;
  agents.set(name, agent);
  return name;
}

export async function agentIn({ agents }: LocalCode, name: string): Promise<Agent> {
  return agents.get(name) ?? (await agentNamed(name));
}

/** The name in a spec of a grader that is a function. */
export function nameOfGrader(grader: Grader, { graders }: LocalCode): string {
  const base = `function:${grader.name === "" ? "grade" : grader.name}`;
  let name = base;
  for (let number = 2; (graders.get(name) ?? grader) !== grader; number++) name = `${base}-${number}`;
  graders.set(name, grader);
  return name;
}
