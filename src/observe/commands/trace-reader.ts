/** One program start that was traced. */
export interface TracedCommand {
  readonly pid: number;
  /** Undefined for the first, which nobody in the trace has started. */
  ppid?: number | undefined;
  readonly program: string;
  readonly argv: readonly string[];
  readonly startedAt: number;
  endedAt?: number;
  exitCode?: number;
  signal?: string;
}

export interface Trace {
  readonly commands: readonly TracedCommand[];
  readonly isWhole: boolean;
}

/** How `strace` is asked: every start of a program and every fork, with times, in one file, from a process beside the agent's tree. */
export function traceCommand(strace: string, way: readonly string[], file: string): readonly string[] {
  const calls = "trace=execve,execveat,clone,clone3,fork,vfork";
  return [strace, "-D", "-f", ...way, "-q", "-ttt", "-s", "1024", "-e", calls, "-e", "signal=none", "-o", file, "--"];
}

/** Reads `strace`'s lines. What it does not know it passes over. */
export function traceReader() {
  const commands: TracedCommand[] = [];
  const running = new Map<number, TracedCommand>();
  const parents = new Map<number, number>();
  const unfinished = new Map<number, string>();

  function push(line: string): void {
    const parts = /^(\d+)\s+(\d+\.\d+) (.*)$/.exec(line);
    if (parts === null) return;
    const pid = Number(parts[1]);
    const at = Number(parts[2]) * 1000;
    const what = parts[3] ?? "";
    if (what.startsWith("+++ ")) end(pid, at, what);
    else if (what.endsWith("<unfinished ...>")) unfinished.set(pid, what.slice(0, -"<unfinished ...>".length));
    else if (what.startsWith("<... ")) {
      const begun = unfinished.get(pid) ?? "";
      unfinished.delete(pid);
      call(pid, at, begun + what.slice(what.indexOf(">") + 1));
    } else call(pid, at, what);
  }

  function call(pid: number, at: number, text: string): void {
    const result = /\)\s+= (-?\d+)[^)]*$/.exec(text)?.[1];
    if (result === undefined) return;
    if (/^(?:clone3?|v?fork)\(/.test(text)) {
      if (Number(result) > 0 && !text.includes("CLONE_THREAD")) parents.set(Number(result), pid);
      return;
    }
    const start = /^execve(?:at\([^,]+, |\()("(?:[^"\\]|\\.)*"(?:\.\.\.)?), \[(.*)\], 0x/s.exec(text);
    if (start === null || result !== "0") return;
    const ppid = parents.get(pid);
    const argv = [...(start[2] ?? "").matchAll(STRING)].map(([, inner, cut]) => unescaped(inner ?? "") + (cut ?? ""));
    const command: TracedCommand = {
      pid,
      ...(ppid === undefined ? {} : { ppid }),
      program: unescaped((start[1] ?? '""').replace(/^"|"(?:\.\.\.)?$/g, "")),
      argv,
      startedAt: at,
    };
    const before = running.get(pid);
    if (before !== undefined) before.endedAt = at; // it became another program
    running.set(pid, command);
    commands.push(command);
  }

  function end(pid: number, at: number, text: string): void {
    const command = running.get(pid);
    running.delete(pid);
    if (command === undefined) return;
    command.endedAt = at;
    const code = /exited with (\d+)/.exec(text)?.[1];
    const signal = /killed by (SIG\w+)/.exec(text)?.[1];
    if (code !== undefined) command.exitCode = Number(code);
    if (signal !== undefined) command.signal = signal;
  }

  /** The end of the first program, which the others descend from, was seen: nobody has ended the trace before. */
  const isWhole = () => commands[0] !== undefined && !running.has(commands[0].pid);
  function trace(): Trace {
    for (const command of commands) command.ppid ??= parents.get(command.pid); // a fork may be told after what its child has done
    return { commands, isWhole: isWhole() };
  }
  return { push, trace };
}

const STRING = /"((?:[^"\\]|\\.)*)"(\.\.\.)?/gs;

const LETTERS: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, v: 11, f: 12, a: 7, b: 8, e: 27 };

/** A string as C writes it: bytes, read as UTF-8. */
function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? "";
    if (char !== "\\") {
      bytes.push(...Buffer.from(char));
      continue;
    }
    const octal = /^[0-7]{1,3}/.exec(text.slice(at + 1, at + 4))?.[0];
    const next = text[at + 1] ?? "";
    bytes.push(octal === undefined ? (LETTERS[next] ?? next.charCodeAt(0)) : Number.parseInt(octal, 8) & 0xff);
    at += octal?.length ?? 1;
  }
  return Buffer.from(bytes).toString("utf8");
}
