import { realpathSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { agents, asForeign, findAgent, knownAgent, readAs } from "../../../pure/agents/index.ts";
import { flawOf, HarnessError } from "../../../pure/base/index.ts";
import type { Agent, Command, Task } from "../../../pure/pipeline/index.ts";
import { programInImage } from "../../isolation/index.ts";
import { limitedLauncher, type ResourceLimits, resourceLimits } from "../../limits/index.ts";
import { agentEnvironment, checkStart, findBinary, insideProgram, type Launcher, localLauncher } from "../../process/index.ts";
import { learnSecrets, mcpSecrets, secretNames, secretValues } from "../../secrets/index.ts";
import { dataDirectory, newRunId } from "../format/index.ts";
import { planDecisions } from "./decision-place.ts";
import { planWalls, type WallPlan } from "./plan-walls.ts";
import type { RunOptions } from "./run-options.ts";
import type { EarlierRun, RunPlan } from "./run-plan.ts";
import { planOverlay } from "./settings-overlay.ts";

/** `earlier` is the run that `options.resume` names; `id` is for callers that must know it beforehand. */
export function planRun(options: RunOptions, earlier?: EarlierRun, id: string = newRunId(new Date()), walls: WallPlan = {}): RunPlan {
  const own = agentOf(options, earlier);
  const like = options.like === undefined ? undefined : likeOf(own, options.like);
  const agent = like === undefined ? own : readAs(own, like);
  const { prompt, model = earlier?.model, permissions = earlier?.permissions ?? "default" } = options;
  if (prompt.trim() === "") throw new HarnessError("usage", "The prompt is empty. Describe the task for the agent.", { option: "prompt" });
  if (/\p{Surrogate}/u.test(prompt))
    throw new HarnessError("usage", "The prompt contains half of a surrogate pair, which cannot be encoded. Remove it.");
  const here = currentDirectory();
  const cwd = directoryOf(options.cwd ?? earlier?.cwd ?? ".", here);
  const parent = options.environment ?? process.env;
  const { maxTurns, maxBudgetUsd, systemPrompt, appendSystemPrompt, allow, deny, onPermission, enforce, mcp, extraArgs } = options;
  const sessionName = earlier?.sessionId ?? id;
  const decisions = agent.hook !== undefined && (enforce ?? onPermission) !== undefined ? planDecisions(agent.hook) : undefined;
  if (enforce !== undefined && decisions === undefined && agent.protocol === undefined)
    throw new HarnessError("usage", `${agent.title} has no hooks that could enforce a policy. ${insteadOf(agent)}`, { option: "enforce" });
  const task: Task = {
    prompt,
    model,
    cwd,
    permissions,
    ...(options.effort !== undefined && { effort: options.effort }),
    maxTurns,
    maxBudgetUsd,
    systemPrompt,
    appendSystemPrompt,
    ...(allow?.length && { allow }),
    ...(deny?.length && { deny }),
    ...(mcp?.length && { mcp }),
    asked: onPermission !== undefined || enforce !== undefined || Boolean(allow?.length) || Boolean(deny?.length),
    ...(decisions !== undefined && { hook: decisions.hook, hookFolder: decisions.folder }),
    sessionName,
    resume: earlier?.sessionId,
    ...(earlier !== undefined && { history: earlier.directory }),
    ...(options.resumeAt !== undefined && { resumeAt: options.resumeAt }),
    commandLine: options.command,
    extraArgs,
  };
  const command = agent.command(task);
  if (earlier !== undefined && command.resumes !== true)
    throw new HarnessError("usage", `${agent.title} cannot resume an earlier session. Run it without \`resume\`.`, {
      option: "resume",
    });
  if (options.resumeAt !== undefined && (earlier === undefined || agent.inside === undefined))
    throw new HarnessError("usage", "`resumeAt` works only with `resume` and a native agent. Leave it out.", {
      option: "resumeAt",
    });
  const isInside = agent.inside === true; // a program chosen for it is the Node that runs it, or pretends to
  if (!isInside) checkProgram(agent, command, options);
  const args = isInside ? [insideProgram(), ...command.args] : command.args;
  checkStart({ cwd: options.cwdFrom ?? cwd, args });
  const chosen = launcherOf(options);
  const wanted = {
    binary: options.binary ?? (isInside ? process.execPath : command.program),
    names: agent.binaries,
    ...(options.binary === undefined && options.command !== undefined && command.program !== undefined && { option: "command" as const }),
    install: agent.install,
    path: parent["PATH"],
    cwd: here ?? "/",
  };
  const find = options.isolate?.startsWith("container:") ? programInImage : findBinary;
  const binary = chosen?.find?.(wanted) ?? find(wanted);
  const set = new Map([...Object.entries(command.env ?? {}), ...Object.entries(options.env ?? {})]);
  const overlay = command.overlay && planOverlay(command.overlay, options.cwdFrom ?? cwd, set, parent);
  const { env, ...environment } = agentEnvironment(parent, { set });
  agent.check?.(task, env);
  const { set: given } = environment;
  const data = options.dataDirectory ?? dataDirectory(parent).root;
  const isolation =
    chosen === undefined
      ? planWalls(options, walls, { agent, task, binary, cwd, env, set: given, data, decisions, overlay, earlier })
      : undefined;
  const secrets = [...secretsOf(env, options.secrets ?? []), ...(mcp ?? []).flatMap(mcpSecrets)];
  learnSecrets(secrets);
  const promptBy = agent.protocol !== undefined ? "protocol" : command.stdin === undefined ? "argument" : "stdin";
  const { stdin, asks = false, withholds, resumes = false, unheld } = command;
  const ignored = (command.ignored ?? []).filter((option) => decisions === undefined || !DECIDED.has(option));
  const isForeign = isInside && options.binary !== undefined && !isThisNode(binary);
  const asked = {
    agent: isForeign ? asForeign(agent) : agent,
    isForeign,
    like: like?.id,
    task,
    prompt,
    cwd,
    model,
    permissions,
    earlier,
    sessionName,
  };
  return {
    id,
    ...asked,
    decisions,
    overlay,
    launcher: limited(chosen ?? isolation?.launcher ?? localLauncher, options),
    isolation,
    binary,
    args,
    stdin,
    promptBy,
    asks,
    withholds,
    resumes,
    env,
    environment,
    isWired: options.wire === true,
    secrets,
    ignored,
    unheld,
  };
}

/** What an agent's hooks enforce, whatever the agent itself supports. */
const DECIDED: ReadonlySet<keyof Task> = new Set(["allow", "deny", "permissions"]);

function isThisNode(binary: string): boolean {
  try {
    return realpathSync(binary) === realpathSync(process.execPath);
  } catch {
    return false; // only its launcher can see it
  }
}

function agentOf({ agent: asked }: RunOptions, earlier: EarlierRun | undefined): Agent {
  const agent = typeof asked === "string" ? findAgent(asked) : (asked ?? (earlier && findAgent(earlier.agent)));
  if (typeof agent?.command !== "function")
    throw new HarnessError("usage", "`agent` must be an id, or an object with command() and open().");
  if (earlier === undefined || earlier.agent === agent.id) return agent;
  throw new HarnessError(
    "usage",
    `The run ${earlier.id} belongs to ${earlier.agent}, and ${agent.id} cannot resume its session. Leave out \`agent\`.`,
    { option: "agent" },
  );
}

function launcherOf({ launcher, isolate, wire }: RunOptions): Launcher | undefined {
  if (launcher === undefined) return undefined;
  if (wire === true)
    throw new HarnessError("usage", "`wire` and `launcher` cannot be combined: the agent may run on a different machine.", {
      option: "wire",
    });
  if (isolate !== undefined)
    throw new HarnessError("usage", "`isolate` and `launcher` cannot be combined: a launcher builds its own walls.", { option: "isolate" });
  if (typeof launcher?.id === "string" && typeof launcher.launch === "function") return launcher;
  throw new HarnessError("usage", "`launcher` must be an object with an id and launch().", { option: "launcher" });
}

function limited(launcher: Launcher, { resourceLimits: limits }: RunOptions): Launcher {
  return limits === undefined ? launcher : limitedLauncher(checkedLimits(limits), launcher);
}

function checkedLimits(limits: ResourceLimits): ResourceLimits {
  if (flawOf(resourceLimits, limits, { strict: true }) === undefined) return limits;
  throw new HarnessError(
    "usage",
    "`resourceLimits` takes whole numbers above 0: memory, file and workspace in bytes, processes, cpu in milliseconds.",
    { option: "resourceLimits" },
  );
}

/** A built-in agent is always read in its own format. */
function likeOf(agent: Agent, name: string): Agent {
  if (agent.plain === true || knownAgent(agent.id) === undefined) return findAgent(name);
  throw new HarnessError("usage", `\`like\` is for your own commands; ${agent.title} is read in its own format.`, {
    option: "like",
  });
}

/** Undefined if the directory was deleted. */
export function currentDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

export function directoryOf(cwd: string, here: string | undefined): string {
  if (here !== undefined) return resolve(here, cwd);
  if (isAbsolute(cwd)) return resolve("/", cwd);
  throw new HarnessError("start", "The current directory no longer exists.", { option: "cwd" });
}

function checkProgram(agent: Agent, { program }: Command, { binary, command }: RunOptions): void {
  if (command !== undefined && (program === undefined || program === command) && /\s/.test(command.trim()) && agent.binaries.length === 0) {
    throw new HarnessError("usage", "`command` takes a program and its arguments. For pipes or variables, wrap it in sh -c '…'.", {
      option: "command",
    });
  }
  if (agent.binaries.length === 0 && program === undefined && binary === undefined) {
    const how = agent.protocol === undefined ? "`command`, as in '<program> {prompt}'" : "`command`, or `extraArgs`";
    throw new HarnessError("usage", `The agent ${agent.id} has no default program. Set what to run with ${how}.`, { option: "command" });
  }
}

/** The values that must not be recorded. */
export function secretsOf(env: NodeJS.ProcessEnv, extra: readonly string[]): RunPlan["secrets"] {
  for (const name of extra) {
    if (env[name] === undefined)
      throw new HarnessError(
        "usage",
        `The variable ${name} in \`secrets\` is not set in the agent's environment. Set it, or pass it with \`env\`.`,
        { option: "secrets" },
      );
  }
  return secretValues(env, secretNames(env, extra));
}

/** The same agent over ACP, if there is one. */
function insteadOf({ id }: Agent): string {
  if (Object.hasOwn(agents, `${id}-acp`)) return `Use ${id}-acp.`;
  const hooked = Object.values<Agent>(agents).flatMap((each) => (each.hook === undefined ? [] : [each.id]));
  return `Use an agent that speaks ACP, or ${hooked.join(" or ")}.`;
}
