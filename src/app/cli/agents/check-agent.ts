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

/** What was looked at, and what was found. What does not apply is left out. */
export interface AgentCheck extends Partial<ProgramCheck> {
  readonly id?: string;
  readonly title?: string;
  /** Of an agent of somebody's own. */
  readonly file?: string;
  /** The words of a command. */
  readonly command?: readonly string[];
  /** The agent whose program is called like that. */
  readonly likely?: string | null;
  /** Names only: a value is never read, let alone shown. */
  readonly credentials?: readonly { readonly name: string; readonly set: boolean }[];
  readonly warnings: readonly string[];
  /** How a trial ended. */
  readonly run?: Omit<TriedRun, "output">;
  readonly output?: OutputCheck;
}

/** Long enough for a sentence from any model. */
const PATIENCE_MS = 60_000;

/** Looks at an agent, an agent's file, a command, or an output alone. */
export async function checkAgent(words: readonly string[], flags: AgentCheckFlags): Promise<AgentCheck> {
  const [name] = words;
  if (name === undefined) {
    if (flags.output === undefined)
      throw new HarnessError("usage", "Say what to check: an agent, its file, a command, or --output <file>.");
    const output = checkOutput(await readOutput(flags.output));
    return { warnings: shareWarnings(output), output };
  }
  const agent = words.length === 1 ? await agentCalled(name) : undefined;
  return agent === undefined ? checkCommand(words, flags) : checkKnown(agent, flags);
}

/** Undefined for what is a command: several words, or the name of a program that no agent has. */
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
    throw new HarnessError("usage", `${title} has no program of its own to check; give one with --binary.`);
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

/** What a command is that nobody described: with --prompt it is run, and its output compared with every format there is. */
async function checkCommand(given: readonly string[], flags: AgentCheckFlags): Promise<AgentCheck> {
  const words = given.length === 1 ? commandArgv(given[0] ?? "") : given;
  const [program, ...extraArgs] = words ?? [];
  if (words === undefined || program === undefined)
    throw new HarnessError("usage", "A command is a program and its words; for pipes, variables and the like, write sh -c '…' around it.");
  const { problem, ...found } = await checkAnyProgram(flags.binary ?? program);
  const isWanted = flags.prompt !== undefined && found.installed;
  const call = { agent: anyCommand, binary: flags.binary ?? program, extraArgs };
  const trial = isWanted ? await tried({ ...call, prompt: flags.prompt ?? "" }, flags) : undefined;
  const output = trial?.output ?? (flags.output === undefined ? undefined : await readOutput(flags.output));
  const read = output === undefined ? undefined : checkOutput(output, undefined, found.likely);
  const hint = "Nothing was run; with --prompt it is, and its output is compared with every known format.";
  return {
    command: words,
    ...found,
    problem,
    warnings: [...found.warnings, ...(read === undefined && found.installed ? [hint] : []), ...shareWarnings(read)],
    ...(trial === undefined ? {} : { run: endOf(trial) }),
    ...(read === undefined ? {} : { output: read }),
  };
}

function tried(call: Parameters<typeof tryRun>[0], { timeout = PATIENCE_MS, cwd }: AgentCheckFlags): Promise<TriedRun> {
  return tryRun({ ...call, cwd, timeoutMs: timeout });
}

function endOf({ output: _, ...end }: TriedRun): Omit<TriedRun, "output"> {
  return end;
}

/** The program that an agent of somebody's own would start, where it can say so without a real task. */
function declaredProgram(agent: Agent): string | undefined {
  try {
    return agent.command({ prompt: "Hello." }).program;
  } catch {
    return undefined; // told by flawsOf
  }
}

/** What a file that can be loaded still lacks. */
async function flawsOf(agent: Agent): Promise<readonly string[]> {
  const { origin } = agent;
  if (origin === undefined) return [];
  if (origin.schema !== undefined) {
    const unread = await unreadKeys(origin.schema);
    const isSilent = origin.schema["outputEvents"] === undefined && origin.schema["outputMode"] !== "passthrough";
    return [
      ...(unread.length === 0 ? [] : [`Nobody reads these keys of the schema: ${unread.join(", ")}.`]),
      ...(isSilent ? ["The schema has no outputEvents: only the result would be understood."] : []),
      ...(origin.schema["sessionMode"] === "iterative"
        ? ["Of an iterative schema one turn is run; the history template is not used."]
        : []),
    ];
  }
  const warnings: string[] = [];
  try {
    agent.command({ prompt: "Hello.", permissions: "default" });
  } catch (error) {
    warnings.push(errorWords(error));
  }
  if (agent.terminal !== true) warnings.push("It has no terminal: true, so that a stream that was cut short can count as a success.");
  return warnings;
}

function shareWarnings(output: OutputCheck | undefined): readonly string[] {
  if (output === undefined) return [];
  if (output.lines === 0) return ["It printed nothing on standard output."];
  if (output.speaks === null) return ["No known format explains half of it; generic reads it as best it can."];
  const [unread] = output.unknown;
  return unread === undefined
    ? []
    : [`${output.lines - Math.round((output.share ?? 0) * output.lines)} of ${output.lines} lines would be unknown.`];
}
