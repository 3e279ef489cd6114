import { afterExec, type Descriptors } from "./descriptors.ts";
import type { BegunCall } from "./trace-lines.ts";

export interface TracedCommand {
  readonly pid: number;
  /** Undefined for the first program, which was started outside the trace. */
  ppid?: number | undefined;
  readonly program: string;
  readonly argv: readonly string[];
  /** Its current directory, if that is known. */
  readonly cwd?: string;
  readonly startedAt: number;
  endedAt?: number;
  exitCode?: number;
  signal?: string;
}

interface Where {
  path?: string;
  isSure: boolean;
  /** Its paths may mean different files than those of other processes. */
  isElsewhere?: true;
}

/** A living process or thread. */
export interface TracedProcess {
  /** Its current directory; shared by those that share it. Not certain until the system has shown it. */
  where: Where;
  /** Its descriptors, as far as they are known; shared in the same way. */
  files: Descriptors;
  /** Its network namespace: 0 for the machine's, negative for one that the run did not make. */
  network: number;
  command?: TracedCommand;
  /** It is the agent itself, not a command of the agent. */
  isAgent: boolean;
  /** The agent's first process, after it became a program that is not known to be the agent. */
  isReplaced: boolean;
  readonly parentIsAgent: boolean;
  /** The process that a thread belongs to. */
  leader: number;
}

const FORK = /^(?:clone3?|v?fork)\(/;

export interface ProcessesOptions {
  /** The current directory of the first process. */
  readonly cwd?: string;
  /** Whether a program started by the agent is still the agent itself: many agents relaunch themselves. */
  readonly isAgent: (program: string, argv: readonly string[]) => boolean;
}

/** Tracks living processes, their parents and their current directories. `begun`: unfinished calls. */
export function traceProcesses(begun: ReadonlyMap<number, BegunCall>, { cwd, isAgent }: ProcessesOptions) {
  const commands: TracedCommand[] = [];
  const alive = new Map<number, TracedProcess>();
  const parents = new Map<number, number>();
  /** Processes that appeared before their fork was reported; some have already ended. */
  const early = new Set<number>();

  /** An unknown process is the child of one that is forking. It takes over their current directory if they all have the same one. */
  function of(pid: number): TracedProcess {
    const known = alive.get(pid);
    if (known !== undefined) return known;
    early.add(pid);
    if (commands.length === 0 && alive.size === 0) return added(pid, at(cwd), undefined, true);
    const forking = [...begun].flatMap(([parent, { text }]) => {
      const process = FORK.test(text) ? alive.get(parent) : undefined;
      return process === undefined ? [] : [{ process, text }];
    });
    const [first] = forking;
    if (first !== undefined && forking.length === 1) return child(pid, first.process, first.text);
    const isOne = first !== undefined && forking.every(({ process }) => process.where.path === first.process.where.path);
    return added(pid, at(isOne ? first.process.where.path : undefined), undefined, false);
  }

  function at(path: string | undefined): Where {
    return { ...(path !== undefined && { path }), isSure: false };
  }

  function added(pid: number, where: Where, command: TracedCommand | undefined, agent: boolean): TracedProcess {
    const process: TracedProcess = {
      where,
      files: new Map(),
      network: 0,
      isReplaced: false,
      ...(command && { command }),
      isAgent: agent,
      parentIsAgent: agent,
      leader: pid,
    };
    alive.set(pid, process);
    return process;
  }

  function child(pid: number, parent: TracedProcess, text: string): TracedProcess {
    const process = added(pid, { ...parent.where }, parent.command, parent.isAgent);
    if (/CLONE_(?:FS|THREAD)\b/.test(text)) process.where = parent.where;
    process.files = /CLONE_(?:FILES|THREAD)\b/.test(text) ? parent.files : new Map(parent.files);
    if (text.includes("CLONE_THREAD")) process.leader = parent.leader;
    if (text.includes("CLONE_NEWNS")) process.where = { ...process.where, isElsewhere: true };
    process.network = text.includes("CLONE_NEWNET") ? newNetwork() : parent.network;
    process.isReplaced = parent.isReplaced;
    return process;
  }

  let networks = 0;
  const newNetwork = () => ++networks;

  function forked(pid: number, childPid: number, text: string): void {
    const parent = of(pid);
    if (!text.includes("CLONE_THREAD")) parents.set(childPid, parent.leader);
    const known = alive.get(childPid);
    if (known !== undefined && parent.where.path !== undefined) known.where.path ??= parent.where.path;
    else if (!early.has(childPid)) child(childPid, parent, text);
    early.delete(childPid);
  }

  function started(pid: number, at: number, program: string, argv: readonly string[]): void {
    const process = of(pid);
    const ppid = parents.get(pid);
    const { path, isElsewhere } = process.where;
    const isKnownPlace = path !== undefined && isElsewhere !== true;
    const command: TracedCommand = {
      pid,
      ...(ppid === undefined ? {} : { ppid }),
      program,
      argv,
      ...(isKnownPlace && { cwd: path }),
      startedAt: at,
    };
    const before = process.command;
    if (before?.pid === pid) before.endedAt = at; // it became a different program
    process.command = command;
    const isKnown = commands.length === 0 || isAgent(program, argv);
    process.isReplaced = pid === commands[0]?.pid && !isKnown;
    process.isAgent = process.isReplaced || (isKnown && (pid === (commands[0]?.pid ?? pid) || process.parentIsAgent));
    process.where = { ...process.where }; // a program start ends all sharing
    process.files = afterExec(process.files);
    commands.push(command);
  }

  function ended(pid: number, at: number, text: string): void {
    const successor = /^\+\+\+ superseded by execve in pid (\d+)/.exec(text)?.[1];
    if (successor !== undefined) return void alive.delete(Number(successor)); // it continues under this process id
    const command = alive.get(pid)?.command;
    if (!alive.delete(pid)) early.add(pid);
    if (command?.pid !== pid) return;
    command.endedAt = at;
    const code = /exited with (\d+)/.exec(text)?.[1];
    const signal = /killed by (SIG\w+)/.exec(text)?.[1];
    if (code !== undefined) command.exitCode = Number(code);
    if (signal !== undefined) command.signal = signal;
  }

  return {
    of,
    forked,
    started,
    ended,
    newNetwork,
    alive: alive as ReadonlyMap<number, TracedProcess>,
    /** Every program start. A fork may be reported after its child's actions. */
    commands(): readonly TracedCommand[] {
      for (const command of commands) command.ppid ??= parents.get(command.pid);
      return commands;
    },
    /** Whether the trace shows the end of the first program, the ancestor of all others, so that the trace was not cut off. */
    isWhole: () => commands[0] !== undefined && !alive.has(commands[0].pid),
  };
}
