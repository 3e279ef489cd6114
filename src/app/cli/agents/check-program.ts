import { basename } from "node:path";
import { probeVersion } from "../../../host/process/index.ts";
import { agents, anyCommand } from "../../../pure/agents/index.ts";
import { version } from "../../../pure/base/index.ts";
import type { Agent } from "../../../pure/pipeline/index.ts";
import { loadSettings, programOf } from "../options/index.ts";

export interface ProgramCheck {
  readonly installed: boolean;
  readonly path: string | null;
  /** What `--version` prints; null if it prints nothing or is not installed. */
  readonly version: string | null;
  /** The version whose output format was recorded. */
  readonly seen: string | null;
  readonly problem: string | null;
  readonly warnings: readonly string[];
}

/** Checks the agent's program: the chosen one, the configured one, or the first on PATH. */
export async function checkAgentProgram(agent: Agent, chosen: string | undefined): Promise<ProgramCheck> {
  return checkProgram(agent, chosen ?? loadSettings().config.agents.get(agent.id)?.binary);
}

/** Checks any program. If an agent's program has the same name, the versions are compared. */
export async function checkAnyProgram(program: string): Promise<ProgramCheck & { readonly likely: string | null }> {
  const likely = Object.values<Agent>(agents).find(({ binaries }) => binaries.includes(basename(program)));
  return { likely: likely?.id ?? null, ...(await checkProgram({ ...anyCommand, seen: likely?.seen }, program)) };
}

async function checkProgram(agent: Agent, binary: string | undefined): Promise<ProgramCheck> {
  const { path, problem } = programOf(agent, binary);
  if (agent.inside && binary === undefined) return { installed: true, path, version, seen: null, problem, warnings: [] };
  const probe = path === null ? { version: null, problem } : await probeVersion(path, process.env);
  const seen = agent.seen ?? null;
  const differs = probe.version !== null && seen !== null && probe.version !== seen;
  const warnings = differs ? [`This is version ${probe.version}; the output format was recorded with ${seen}, and may have changed.`] : [];
  return { installed: path !== null, path, version: probe.version, seen, problem: probe.problem, warnings };
}
