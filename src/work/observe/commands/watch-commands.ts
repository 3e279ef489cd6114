import { basename, delimiter, dirname, join } from "node:path";
import { setInterval } from "node:timers";
import { errorWords } from "../../../pure/base/index.ts";
import type {
  CommandCategory,
  CommandObservedBody,
  CommandSource,
  CommandsObservedBody,
  TraceEffects,
} from "../../../pure/events/index.ts";
import { categoryOf } from "../../../pure/shell/index.ts";
import type { CommandWatch, TracedRun, WatchCommands, WatchOptions } from "../command-watch.ts";
import { makeWrappers, type Wrappers } from "./make-wrappers.ts";
import { type IsNew, newPrograms } from "./new-programs.ts";
import { type ReadTrace, type TracedCommand, watchTrace } from "./trace/index.ts";
import { type WrappedCommand, type WrapperLog, wrapperLog } from "./wrapper-log.ts";
import { writeLines } from "./write-lines.ts";

/** How often we read the records while the agent runs: once we have read a record, deleting it has no effect. */
const POLL_MS = 200;
/** Only this many commands become facts of the run; the log has all. */
const MOST_FACTS = 1_000;
const LONGEST_ARGV = 8 * 1024;

/** Watches with wrappers on the PATH and, if requested and possible, with a trace. */
export const watchCommands: WatchCommands = async (options): Promise<CommandWatch> => {
  const problems: string[] = [];
  const wrapped = options.wrap.length === 0 ? undefined : attempt(problems, () => wrap(options));
  const trace = options.trace ? watchTrace(options.directory, options.path, problems) : undefined;
  if (wrapped !== undefined && wrapped.wrappers.missing.length > 0)
    problems.push(`not on the PATH, and not wrapped: ${wrapped.wrappers.missing.join(", ")}`);
  const isNew = newPrograms(Date.now());
  const timer = wrapped === undefined ? undefined : setInterval(() => wrapped.log.poll(), POLL_MS).unref();
  const path = options.path ?? "";
  return {
    env: wrapped === undefined ? {} : environmentOf(wrapped.wrappers, path),
    ...(trace && { traced: trace.traced }),
    async collect(run) {
      clearInterval(timer);
      const found: CommandObservedBody[] = [];
      if (wrapped !== undefined) attempt(problems, () => found.push(...collectWrapped(wrapped.log, problems, isNew)));
      const seen = new Set(found.map(({ pid }) => pid));
      const isNews = ({ pid, ppid, program }: TracedCommand) =>
        ppid !== undefined && !seen.has(pid) && !(wrapped !== undefined && program.startsWith(`${wrapped.wrappers.bin}/`));
      const read = await trace?.collect(run, wrapped === undefined ? [] : [wrapped.wrappers.log]);
      found.push(...(read?.commands ?? []).filter(isNews).map((command) => ofTrace(command, isNew)));
      found.sort((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0));
      const sources: CommandSource[] = [...(wrapped ? (["wrapper"] as const) : []), ...(read?.isWhole ? (["trace"] as const) : [])];
      const effects = attempt(problems, () => effectsOf(read, run, options.log));
      return summed(found, { sources, ...(effects && { effects }) }, wrapped?.wrappers.names ?? [], problems, options);
    },
  };
};

/** How many effects are in the fact; the log has all. */
const MOST_EFFECTS = 50;

function effectsOf(read: ReadTrace | undefined, run: TracedRun | undefined, log: string): TraceEffects | undefined {
  if (read?.effects === undefined) return undefined;
  const { effects, gaps } = read.effects;
  const countOf = (wanted: string) => effects.filter(({ kind }) => kind === wanted).length;
  const name = "trace_effects.jsonl";
  return {
    writes: countOf("write"),
    sockets: countOf("socket"),
    connections: countOf("connection"),
    first: effects.slice(0, MOST_EFFECTS),
    gaps,
    ...(run?.home !== undefined && { home: run.home }),
    log: writeLines(join(dirname(log), name), `artifacts/${name}`, effects),
  };
}

interface Wrapped {
  readonly wrappers: Wrappers;
  readonly log: WrapperLog;
}

function wrap({ directory, wrap: names, path, bashEnv }: WatchOptions): Wrapped {
  const wrappers = makeWrappers(directory, names, path ?? "", bashEnv);
  return { wrappers, log: wrapperLog(wrappers.log) };
}

function environmentOf({ bin, bashEnv }: Wrappers, path: string): Readonly<Record<string, string>> {
  return { PATH: path === "" ? bin : `${bin}${delimiter}${path}`, BASH_ENV: bashEnv };
}

function attempt<Result>(problems: string[], action: () => Result): Result | undefined {
  try {
    return action();
  } catch (error) {
    problems.push(errorWords(error));
    return undefined;
  }
}

const TAMPERING = {
  "log-removed": "the records were removed",
  "record-removed": "some of the records were removed",
  "record-malformed": "records were not written by a wrapper",
  "record-touched": "records were changed after they had been read",
} as const;

function collectWrapped(log: WrapperLog, problems: string[], isNew: IsNew): readonly CommandObservedBody[] {
  log.poll();
  for (const [kind, count] of log.tampering())
    problems.push(`${TAMPERING[kind]}${count === 1 ? "" : ` (${count})`}: the evidence was changed`);
  const commands = log.commands();
  const numbers = new Map(commands.map(({ id, pid }) => [id, pid]));
  return commands.map((command) => ofWrapper(command, numbers.get(command.parent ?? ""), isNew));
}

/** There may be unseen shells between a command and the wrapped command that contains it. We still report the latter as the parent. */
function ofWrapper(command: WrappedCommand, parent: number | undefined, isNew: IsNew): CommandObservedBody {
  const { name, program, args, argc, cwd, startedAt, endedAt, end, pid, ppid } = command;
  const argv = [name, ...args, ...(argc > args.length ? [`… ${argc - args.length} more`] : [])];
  return {
    type: "command-observed",
    source: "wrapper",
    argv,
    program,
    ...(isNew(program, cwd) && { isNew: true }),
    category: categoryOf(argv),
    cwd,
    startedAt: Math.round(startedAt),
    durationMs: endedAt === undefined ? null : Math.max(0, Math.round(endedAt - startedAt)),
    exitCode: end?.exitCode ?? null,
    signal: end?.signal ?? null,
    ...(pid === undefined ? {} : { pid }),
    ppid: parent ?? ppid,
  };
}

/** What a program is called is up to its parent, so its file decides what it is. */
function ofTrace(
  { argv, program, cwd, startedAt, endedAt, exitCode, signal, pid, ppid }: TracedCommand,
  isNew: IsNew,
): CommandObservedBody {
  const line = argv.length === 0 ? [program] : argv;
  const isNamed = basename(line[0] ?? "") === basename(program) || /^(?:busybox|toybox|coreutils)$/.test(basename(program));
  return {
    type: "command-observed",
    source: "trace",
    argv: line,
    program,
    ...(isNew(program, cwd) && { isNew: true }),
    category: categoryOf(isNamed ? line : [program, ...line.slice(1)]),
    cwd: cwd ?? null,
    startedAt: Math.round(startedAt),
    durationMs: endedAt === undefined ? null : Math.max(0, Math.round(endedAt - startedAt)),
    exitCode: exitCode ?? null,
    signal: signal ?? null,
    pid,
    ...(ppid === undefined ? {} : { ppid }),
  };
}

/** Writes all commands to the log, turns the first ones into facts, and summarizes. */
function summed(
  found: readonly CommandObservedBody[],
  { sources, effects }: Pick<CommandsObservedBody, "sources" | "effects">,
  wrapped: readonly string[],
  problems: string[],
  { log, wrap }: WatchOptions,
): { commands: readonly CommandObservedBody[]; summary: CommandsObservedBody } {
  const file =
    found.length === 0
      ? undefined
      : attempt(problems, () =>
          writeLines(
            log,
            "artifacts/command_logs.jsonl",
            found.map(({ type: _, ...rest }) => rest),
          ),
        );
  const isAvailable = found.length > 0;
  const reason =
    sources.length > 0
      ? "no wrapped binaries invoked"
      : wrap.length === 0 && problems.length === 0
        ? "wrappers disabled"
        : "permission issue";
  const categories = [...new Set(found.map(({ category }): CommandCategory => category))].sort();
  return {
    commands: found.slice(0, MOST_FACTS).map(bounded),
    summary: {
      type: "commands-observed",
      available: isAvailable,
      ...(isAvailable ? {} : { reason }),
      ...(problems.length === 0 ? {} : { problem: problems.join("; ") }),
      sources,
      wrapped,
      observed: sources.length === 0 ? null : found.length,
      categories,
      ...(file === undefined ? {} : { log: file }),
      ...(effects && { effects }),
    },
  };
}

function bounded(command: CommandObservedBody): CommandObservedBody {
  let left = LONGEST_ARGV;
  const argv: string[] = [];
  for (const arg of command.argv) {
    if (left <= 0) {
      argv.push(`… ${command.argv.length - argv.length} more`);
      break;
    }
    argv.push(arg.length > left ? `${arg.slice(0, left)}…` : arg);
    left -= arg.length + 1;
  }
  return { ...command, argv };
}
