import { settingsFor } from "../../../host/config/index.ts";
import { installed } from "../../../host/process/index.ts";
import { unreadKeys } from "../../../host/recording/index.ts";
import { anyCommand, isAgentFile, knownAgent } from "../../../pure/agents/index.ts";
import { errorWords, HarnessError } from "../../../pure/base/index.ts";
import type { Agent } from "../../../pure/pipeline/index.ts";
import { commandArgv } from "../../../pure/shell/index.ts";
import { loadSettings, namedAgent } from "../options/index.ts";
import { checkOutput, type OutputCheck, readOutput } from "./check-output.ts";
import { checkAgentProgram, checkAnyProgram, type ProgramCheck } from "./check-program.ts";
import { type TriedRun, tryRun } from "./try-run.ts";

export interface AgentCheckFlags {
  readonly binary?: string;
  readonly output?: string;
  readonly prompt?: string;
  readonly cwd?: string;
  readonly timeout?: number;
  readonly json?: true;
}

/** The findings. Fields that do not apply are absent. */
export interface AgentCheck extends Partial<ProgramCheck> {
  readonly id?: string;
  readonly title?: string;
  /** The file of a user's own agent. */
  readonly file?: string;
  readonly command?: readonly string[];
  /** The agent whose program has the same name. */
  readonly likely?: string | null;
  /** Names only; values are never shown. */
  readonly credentials?: readonly { readonly name: string; readonly set: boolean }[];
  readonly warnings: readonly string[];
  readonly run?: Omit<TriedRun, "output">;
  readonly output?: OutputCheck;
}

const TIMEOUT_MS = 60_000;

/** Checks an agent, an agent's file, a command, or only a saved output. */
export async function checkAgent(args: readonly string[], flags: AgentCheckFlags): Promise<AgentCheck> {
  const [name] = args;
  if (name === undefined) {
    if (flags.output === undefined)
      throw new HarnessError("usage", "Nothing to check. Pass an agent, its file, a command, or --output <file>.");
    const output = checkOutput(await readOutput(flags.output));
    return { warnings: shareWarnings(output), output };
  }
  const agent = args.length === 1 ? await agentCalled(name) : undefined;
  return agent === undefined ? checkCommand(args, flags) : checkKnown(agent, flags);
}

/** Undefined for a command: a text with spaces, or a program that belongs to no agent. */
async function agentCalled(name: string): Promise<Agent | undefined> {
  if (/\s/.test(name.trim())) return undefined;
  const isFile = isAgentFile(name) && /\.(?:[cm]?[jt]s|json)$/i.test(name);
  const isRegistered = loadSettings().config.agents.get(name)?.file !== undefined;
  const isProgram = name.includes("/") || installed([name], process.env["PATH"]) !== undefined;
  return isFile || isRegistered || knownAgent(name) !== undefined || !isProgram ? namedAgent(name) : undefined;
}

async function checkKnown(agent: Agent, flags: AgentCheckFlags): Promise<AgentCheck> {
  const { origin, id, title } = agent;
  const own = flags.binary ?? (origin === undefined ? undefined : declaredProgram(agent));
  const hasProgram = agent.binaries.length > 0 || own !== undefined;
  if (!hasProgram && origin === undefined && flags.output === undefined)
    throw new HarnessError("usage", `The agent ${id} has no program to check. Pass one with --binary.`);
  const program = hasProgram ? await checkAgentProgram(agent, own) : undefined;
  const credentials = (agent.credentials ?? []).map((name) => ({ name, set: Boolean(process.env[name]) }));
  const { binary, env, args } = settingsFor(loadSettings().config, id);
  const run = { agent, binary: flags.binary ?? binary, env: Object.fromEntries(env), extraArgs: args };
  const trial = flags.prompt === undefined ? undefined : await tried({ ...run, prompt: flags.prompt }, flags);
  const output = trial?.output ?? (flags.output === undefined ? undefined : await readOutput(flags.output));
  const read = output === undefined ? undefined : checkOutput(output, agent);
  return {
    id,
    title,
    ...(origin === undefined ? {} : { file: origin.path }),
    ...program,
    credentials,
    warnings: [...(program?.warnings ?? []), ...(await flawsOf(agent)), ...shareWarnings(read)],
    ...(trial === undefined ? {} : { run: endOf(trial) }),
    ...(read === undefined ? {} : { output: read }),
  };
}

/** Checks an unknown command. With `--prompt` it is run, and its output is compared with every known format. */
async function checkCommand(given: readonly string[], flags: AgentCheckFlags): Promise<AgentCheck> {
  const command = given.length === 1 ? commandArgv(given[0] ?? "") : given;
  const [program, ...extraArgs] = command ?? [];
  if (command === undefined || program === undefined)
    throw new HarnessError("usage", "Not a simple command. Pass a program with arguments; for pipes and variables, use sh -c '…'.");
  const { problem, ...found } = await checkAnyProgram(flags.binary ?? program);
  const isWanted = flags.prompt !== undefined && found.installed;
  const call = { agent: anyCommand, binary: flags.binary ?? program, extraArgs };
  const trial = isWanted ? await tried({ ...call, prompt: flags.prompt ?? "" }, flags) : undefined;
  const output = trial?.output ?? (flags.output === undefined ? undefined : await readOutput(flags.output));
  const read = output === undefined ? undefined : checkOutput(output, undefined, found.likely);
  const hint = "Nothing was run. Pass --prompt to run it and compare its output with every known format.";
  return {
    command,
    ...found,
    problem,
    warnings: [...found.warnings, ...(read === undefined && found.installed ? [hint] : []), ...shareWarnings(read)],
    ...(trial === undefined ? {} : { run: endOf(trial) }),
    ...(read === undefined ? {} : { output: read }),
  };
}

function tried(call: Parameters<typeof tryRun>[0], { timeout = TIMEOUT_MS, cwd }: AgentCheckFlags): Promise<TriedRun> {
  return tryRun({ ...call, cwd, timeoutMs: timeout });
}

function endOf({ output: _, ...end }: TriedRun): Omit<TriedRun, "output"> {
  return end;
}

function declaredProgram(agent: Agent): string | undefined {
  try {
    return agent.command({ prompt: "Hello." }).program;
  } catch {
    return undefined; // flawsOf reports it
  }
}

/** What is missing in an agent's file that can be loaded. */
async function flawsOf(agent: Agent): Promise<readonly string[]> {
  const { origin } = agent;
  if (origin === undefined) return [];
  if (origin.schema !== undefined) {
    const unread = await unreadKeys(origin.schema);
    const isSilent = origin.schema["outputEvents"] === undefined && origin.schema["outputMode"] !== "passthrough";
    return [
      ...(unread.length === 0 ? [] : [`These keys of the schema have no effect: ${unread.join(", ")}.`]),
      ...(isSilent ? ["The schema has no outputEvents: only the result is understood."] : []),
      ...(origin.schema["sessionMode"] === "iterative"
        ? ["The schema is iterative: only one turn is run, and the history template is not used."]
        : []),
    ];
  }
  const warnings: string[] = [];
  try {
    agent.command({ prompt: "Hello.", permissions: "default" });
  } catch (error) {
    warnings.push(errorWords(error));
  }
  if (agent.terminal !== true) warnings.push("Without terminal: true, a stream that was cut short can count as a success.");
  return warnings;
}

function shareWarnings(output: OutputCheck | undefined): readonly string[] {
  if (output === undefined) return [];
  if (output.lines === 0) return ["It printed nothing on standard output."];
  if (output.speaks === null) return ["No known format explains half of the output; use the agent generic for it."];
  const [unread] = output.unknown;
  return unread === undefined
    ? []
    : [`${output.lines - Math.round((output.share ?? 0) * output.lines)} of ${output.lines} lines are not understood.`];
}
