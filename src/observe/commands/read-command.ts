import { textOf } from "../../workspace/byte-path.ts";

/** What a wrapper wrote about one command. */
export interface WrapperRecord {
  readonly id: string;
  readonly name: string;
  readonly program: string;
  readonly cwd: string;
  /** The shell that waits for the program, and whose child that is. */
  readonly wrapper: number;
  readonly ppid: number;
  /** The wrapped command that this one was started by; absent at the top. */
  readonly parent?: string;
  /** How many arguments there were, and those that were written down; a byte that is not UTF-8 is a lone surrogate, as in a manifest. */
  readonly argc: number;
  readonly args: readonly string[];
  /** The program's own number; absent where the wrapper was ended before it could say. */
  readonly pid?: number;
}

/** How a command ended: one of the two is set; both null where the shell's words say neither. */
export interface CommandEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

const FIELDS = 7;

/** Undefined: no wrapper of ours writes like this. */
export function readStart(id: string, bytes: Uint8Array): WrapperRecord | undefined {
  const text = Buffer.from(bytes);
  const fields: string[] = [];
  let from = 0;
  for (let at = text.indexOf(0); at !== -1; at = text.indexOf(0, from)) {
    fields.push(textOf(text.subarray(from, at)));
    from = at + 1;
  }
  const [name = "", program = "", cwd = "", wrapper = "", ppid = "", parent = "", argc = "", ...args] = fields;
  const rest = text.subarray(from).toString("latin1");
  if (fields.length < FIELDS || !/^(?:\d{1,10}\n)?$/.test(rest)) return undefined;
  if (![wrapper, ppid, argc].every((number) => /^\d{1,10}$/.test(number)) || args.length > Number(argc)) return undefined;
  if (name === "" || !id.startsWith(wrapper) || !/^\++$|^$/.test(id.slice(wrapper.length))) return undefined;
  return {
    id,
    name,
    program,
    cwd,
    wrapper: Number(wrapper),
    ppid: Number(ppid),
    ...(parent === "" ? {} : { parent }),
    argc: Number(argc),
    args,
    ...(rest === "" ? {} : { pid: Number(rest) }),
  };
}

const SIGNALS: readonly (readonly [start: string, signal: string])[] = [
  ["Hangup", "SIGHUP"],
  ["Interrupt", "SIGINT"],
  ["Quit", "SIGQUIT"],
  ["Illegal", "SIGILL"],
  ["Trace", "SIGTRAP"],
  ["Abort", "SIGABRT"],
  ["Bus", "SIGBUS"],
  ["Floating", "SIGFPE"],
  ["Killed", "SIGKILL"],
  ["User defined signal 1", "SIGUSR1"],
  ["Segmentation", "SIGSEGV"],
  ["User defined signal 2", "SIGUSR2"],
  ["Broken pipe", "SIGPIPE"],
  ["Alarm", "SIGALRM"],
  ["Terminated", "SIGTERM"],
  ["CPU time", "SIGXCPU"],
  ["File size", "SIGXFSZ"],
  ["Bad system", "SIGSYS"],
];

/** The line of `jobs -l`: `[1] + 4711 Done(3)`. Undefined: it is no such line. */
export function readEnd(text: string): CommandEnd | undefined {
  const words = /^\[\d+\]\s*[+-]?\s+\d+ (.*)/.exec(text)?.[1];
  if (words === undefined) return undefined;
  const code = /^(?:Done\((\d{1,3})\)|Exit (\d{1,3})|Done)/.exec(words);
  if (code !== null) return { exitCode: Number(code[1] ?? code[2] ?? 0), signal: null };
  return { exitCode: null, signal: SIGNALS.find(([start]) => words.startsWith(start))?.[1] ?? null };
}
