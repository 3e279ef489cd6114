import { existsSync, type Stats, statSync } from "node:fs";
import {
  agentOfRun,
  derive,
  deriveRun,
  deriveSessionLog,
  findRun,
  findView,
  isRunId,
  isSessionLog,
  lookUp,
  runPaths,
} from "../../host/recording/index.ts";
import { agents, betterAgent, recognize } from "../../pure/agents/index.ts";
import { HarnessError } from "../../pure/base/index.ts";
import type { View } from "../../pure/pipeline/index.ts";
import { log, views, withRefs } from "../../pure/views/index.ts";
import { inTerminal, say, standardInput, watchReader, withProgress } from "../terminal/index.ts";
import { firstLines } from "./first-lines.ts";
import { namedAgent, openAndReport, ourData, reportDamage, type ShownFlags } from "./options/index.ts";
import { printAccount, printRecords } from "./print-records.ts";

export interface DeriveFlags extends ShownFlags {
  readonly agent?: string;
  readonly follow?: true;
  readonly cwd?: string;
  readonly stderr?: string;
  readonly exitCode?: number;
  readonly signal?: string;
}

/** `harness derive`: converts standard input, a file, or a run. */
export async function deriveInput(input: string, flags: DeriveFlags): Promise<void> {
  watchReader();
  const directory = runOf(input, flags);
  if (directory !== undefined) return deriveRecorded(directory, flags);
  if (flags.follow) throw new HarnessError("usage", "--follow works with a run only; a file or a pipe is read to its end. Leave it out.");
  if (flags.agent === undefined && isSessionLog(input)) return deriveLogged(input, flags);
  const { agent: _, view = "activity", json, pretty, ...options } = flags;
  const { agent, source } = await printedBy(input, flags.agent);
  const chosen = findView(view);
  const { view: watched, done } = await withProgress(chosen, input);
  const derivation = derive(source, { ...options, agent, view: watched });
  try {
    await printRecords(derivation.batches(), { view: chosen, json, readable: pretty ?? (inTerminal() && json !== true) });
  } finally {
    done();
  }
}

/** The named agent, or the one that the first lines look like. A pipe is read only if no agent is named: its first lines may be late. */
async function printedBy(input: string, name: string | undefined) {
  if (name !== undefined && input === "-") return { agent: await namedAgent(name), source: standardInput() };
  if (name !== undefined && statsOf(input)?.isFile() !== true) return { agent: await namedAgent(name), source: input };
  const { lines, source } = await firstLines(input);
  if (name === undefined) {
    const agent = recognize(lines);
    if (agent === undefined) throw new HarnessError("usage", missingAgent(input));
    say(`Read as the output of ${agent.id} (${agent.title}). If it is not, pass --agent <id>.`);
    return { agent, source };
  }
  const agent = await namedAgent(name);
  const better = betterAgent(agent, lines);
  if (better !== undefined) say(`This does not look like the output of ${agent.id}. Try --agent ${better.id}.`);
  return { agent, source };
}

/** A session log has recorded what the flags for a file would say. */
async function deriveLogged(input: string, flags: DeriveFlags): Promise<void> {
  for (const [name, flag] of FILE_FLAGS) {
    if (flags[name] !== undefined) throw new HarnessError("usage", `${flag} is not for a session log, which says it itself. Leave it out.`);
  }
  const chosen = findView(flags.view ?? "stream");
  const { view: _, json, pretty, ...options } = flags;
  const batches = deriveSessionLog(input, options.refs ? withRefs(chosen) : chosen, options);
  await printRecords(batches, { view: chosen, json, readable: pretty ?? (inTerminal() && json !== true) });
}

async function deriveRecorded(directory: string, flags: DeriveFlags): Promise<void> {
  for (const [name, flag] of FILE_FLAGS) {
    if (flags[name] !== undefined) throw new HarnessError("usage", `${flag} is only for a file: a run has recorded it. Leave it out.`);
  }
  const given = flags.agent === undefined ? undefined : await namedAgent(flags.agent);
  const { manifest, owner } = await openAndReport(directory, given);
  const agent = given ?? (await agentOfRun(manifest));
  const asAccount = flags.follow === true && flags.view === undefined && inTerminal() && flags.json !== true;
  const chosen: View = asAccount ? log : findView(flags.view ?? "activity");
  if (chosen === views.requests && !existsSync(runPaths(directory).wire)) say(NOT_RECORDED);
  const view = flags.refs ? withRefs(chosen) : chosen;
  const isLive = owner !== undefined && flags.follow ? async () => (await openAndReport(directory)).owner !== undefined : undefined;
  const batches = deriveRun(manifest, directory, agent, view, { ...flags, isLive, onDamage: reportDamage(directory) });
  const readable = flags.pretty ?? (inTerminal() && flags.json !== true);
  await (asAccount ? printAccount(batches) : printRecords(batches, { view: chosen, json: flags.json, readable }));
}

const NOT_RECORDED = "This run has no wire.jsonl: its requests to the model were not recorded. To record those of a new run, use --wire.";

const FILE_FLAGS = [
  ["cwd", "--cwd"],
  ["stderr", "--stderr"],
  ["exitCode", "--exit-code"],
  ["signal", "--signal"],
] as const;

export function missingAgent(input: string): string {
  const what = input === "-" ? "standard input" : input;
  return `Which agent printed ${what}? Pass --agent <id>: ${Object.keys(agents).join(", ")}.`;
}

/** The directory of the run that `input` names; undefined if it can only be a file. */
export function runOf(input: string, { agent }: { readonly agent?: string }): string | undefined {
  const stats = statsOf(input);
  if (input === "-" || (stats !== undefined && !stats.isDirectory())) return undefined;
  const found = lookUp(ourData(), input);
  if (found !== undefined) return found;
  if (stats !== undefined) {
    throw new HarnessError("input", `${input} is a directory without a run.json. Pass a run, or the file that holds the agent's output.`);
  }
  return agent !== undefined || !isRunId(input) ? undefined : findRun(ourData(), input);
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined; // opening it reports why
  }
}
