import { type Config, registeredAgents, resolveModel, settingsFor } from "../../../host/config/index.ts";
import { additionsOf, installed } from "../../../host/process/index.ts";
import { agentNamed, type EarlierRun, type RunOptions } from "../../../host/recording/index.ts";
import { agents, anyCommand } from "../../../pure/agents/index.ts";
import { HarnessError } from "../../../pure/base/index.ts";
import type { Agent } from "../../../pure/pipeline/index.ts";
import { say, withFlags } from "../../terminal/index.ts";
import type { AgentFlags } from "./agent-options.ts";
import { readMcp } from "./read-mcp.ts";
import { loadSettings } from "./settings.ts";

/** The options of a run: flags win over the resumed run, which wins over the settings of the directory and the user. */
export async function runOptionsOf(
  flags: AgentFlags & { readonly cwd?: string; readonly at?: string },
  extraArgs: readonly string[],
  earlier?: EarlierRun,
): Promise<{ readonly options: Omit<RunOptions, "prompt"> & { readonly agent: Agent }; readonly view?: string }> {
  const { config, ignored } = loadSettings(flags.cwd ?? earlier?.cwd);
  for (const sentence of ignored) say(withFlags(sentence));
  const agent = await agentOf(flags, config, earlier);
  const own = settingsFor(config, agent.id);
  const model = flags.model ?? (earlier === undefined ? own.model : undefined);
  const options = {
    agent,
    model: model === undefined ? undefined : resolveModel(config, agent.id, model),
    effort: flags.effort,
    cwd: flags.cwd,
    resumeAt: flags.at,
    permissions: flags.permissions ?? (earlier === undefined ? own.permissions : undefined),
    allow: flags.allow,
    deny: flags.deny,
    ...(flags.enforce !== undefined && { enforce: await policyIn(flags.enforce) }),
    mcp: (flags.mcp ?? []).flatMap(readMcp),
    binary: flags.binary ?? own.binary,
    command: flags.command,
    like: flags.like,
    env: Object.fromEntries([...own.env, ...additionsOf(flags.env ?? [])]),
    secrets: [...config.secrets, ...(flags.secret ?? [])],
    isolate: flags.isolate ?? config.isolate,
    network: flags.network ?? ((flags.isolate ?? config.isolate) === "sealed" ? config.network : undefined),
    modelUrl: flags.modelUrl,
    wire: flags.wire,
    requireIsolation: flags.requireIsolation,
    maxTurns: flags.maxTurns,
    maxBudgetUsd: flags.maxBudget,
    systemPrompt: flags.systemPrompt,
    appendSystemPrompt: flags.appendSystemPrompt,
    extraArgs: [...own.args, ...extraArgs],
    name: flags.name,
    tags: [...new Set([...config.tags, ...(flags.tag ?? [])])],
    timeoutMs: limit(flags.timeout ?? config.timeout ?? agent.timeoutMs),
    idleTimeoutMs: limit(flags.idleTimeout ?? config.idleTimeout),
    idleWarningMs: flags.idleWarning,
    afterResultMs: flags.afterResult,
    graceMs: flags.grace,
    resourceLimits: flags.limit ?? config.limit,
  };
  return { options, view: config.view };
}

/** Loaded only when a policy is used. */
async function policyIn(file: string): Promise<RunOptions["enforce"]> {
  return (await import("../../../work/observe/index.ts")).livePolicy(file);
}

function limit(ms: number | undefined): number | undefined {
  return ms === 0 ? undefined : ms;
}

/** The agent from the flags, the resumed run or the settings; `generic` for a command line; else the only installed one. */
async function agentOf({ agent, command }: AgentFlags, config: Config, earlier: EarlierRun | undefined): Promise<Agent> {
  const name = agent ?? earlier?.agent ?? config.agent ?? (command === undefined ? undefined : anyCommand.id);
  if (name !== undefined) return agentNamed(name, registeredAgents(config));
  const here = Object.values<Agent>(agents).filter(
    ({ binaries, protocol }) => protocol === undefined && installed(binaries, process.env["PATH"]) !== undefined,
  );
  const [only, ...others] = here;
  if (only !== undefined && others.length === 0) return only;
  const why = only === undefined ? "no agent is installed" : `${here.map(({ id }) => id).join(" and ")} are installed`;
  throw new HarnessError(
    "usage",
    `Which agent? ${why.charAt(0).toUpperCase()}${why.slice(1)}. Pass --agent <id>: ${Object.keys(agents).join(", ")}.`,
  );
}
