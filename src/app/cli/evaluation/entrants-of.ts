import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { probeVersion } from "../../../host/process/index.ts";
import { planRun } from "../../../host/recording/index.ts";
import { anyPartner } from "../../../pure/agents/index.ts";
import { TRAJECTORY_VERSION } from "../../../pure/views/index.ts";
import { type Configuration, type Entrant, hashOf } from "../../../work/evaluate/index.ts";
import { type EvaluationFlags, runOptionsOf } from "../options/index.ts";

/** Everybody who is asked, checked: a missing program or a wrong option is refused before anything runs. */
export async function entrantsOf(flags: EvaluationFlags, words: readonly string[]): Promise<Entrant[]> {
  const command = words.map(absolute);
  const names = flags.agent.length > 0 ? flags.agent : [words.length > 0 ? anyPartner.id : undefined];
  const entrants: Entrant[] = [];
  for (const agent of names) entrants.push(await entrantOf({ ...flags, ...(agent === undefined ? {} : { agent }) }, command));
  return entrants;
}

/** A file that is named from here; the agent is started somewhere else. */
function absolute(word: string): string {
  return word.includes("/") && !word.startsWith("/") && existsSync(word) ? resolve(word) : word;
}

async function entrantOf(
  flags: Omit<EvaluationFlags, "agent"> & { agent?: string | readonly string[] },
  words: readonly string[],
): Promise<Entrant> {
  const { agent: name, timeout: _, cwd: __, ...rest } = flags;
  const { options: all } = await runOptionsOf({ ...rest, ...(typeof name === "string" ? { agent: name } : {}) }, words);
  const { agent, cwd: ___, ...options } = all;
  if (typeof agent !== "object") throw new TypeError("an agent was not looked up");
  const plan = planRun({ ...options, agent, prompt: "?" });
  // A command of the user's own may not know the question, and do its work instead.
  const version = agent.binaries.length === 0 ? null : (await probeVersion(plan.binary, process.env)).version;
  const configuration: Configuration = {
    agent: agent.id,
    agentVersion: version,
    binary: plan.binary,
    model: options.model ?? null,
    permissions: plan.permissions,
    args: options.extraArgs ?? [],
    command: options.command ?? null,
    like: options.like ?? null,
    environment: hashOf(Object.entries(options.env ?? {})),
    rules: { allow: flags.allow, deny: flags.deny },
    mcp: (options.mcp ?? []).map(({ name }) => name),
    timeoutMs: flags.timeout ?? null,
    workspace: flags.workspace ?? flags.cwd ?? null,
    home: flags.home ?? "private",
    grader: flags.grader.length === 0 ? null : flags.grader.join("\n"),
    trajectory: TRAJECTORY_VERSION,
  };
  return { label: agent.id, agent, resumes: plan.resumes, options, configuration: hashOf(configuration), details: configuration };
}
