/** One line of a trace, after the two parts of an interrupted call are joined. */
export interface TraceLine {
  readonly pid: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly text: string;
  /** The number of the line on which it started, and of the one on which it ended. Calls whose ranges do not overlap happened in order. */
  readonly from: number;
  readonly to: number;
}

/** A call that has started. */
export interface BegunCall {
  readonly text: string;
  readonly from: number;
}

const UNFINISHED = " <unfinished ...>";

/** Joins calls that `strace` printed in two parts because another process came in between. */
export function traceLines() {
  const begun = new Map<number, BegunCall>();
  let count = 0;

  /** Undefined: the line starts a call that is not finished; null: it is not a line of a trace. */
  function push(line: string): TraceLine | undefined | null {
    const parts = /^(\d+)\s+(\d+\.\d+) (.*)$/s.exec(line);
    if (parts === null) return null;
    const pid = Number(parts[1]);
    const at = Number(parts[2]) * 1000;
    const text = parts[3] ?? "";
    const to = ++count;
    if (text.endsWith(UNFINISHED)) {
      begun.set(pid, { text: text.slice(0, -UNFINISHED.length), from: to });
      return undefined;
    }
    if (text.startsWith("+++ ")) {
      const successor = /^\+\+\+ superseded by execve in pid (\d+)/.exec(text)?.[1];
      // A thread that starts a program becomes the process, and its call resumes under that process id.
      const moved = successor === undefined ? undefined : begun.get(Number(successor));
      begun.delete(Number(successor ?? pid));
      if (moved !== undefined) begun.set(pid, moved);
      else begun.delete(pid);
    }
    if (!text.startsWith("<... ")) return { pid, at, text, from: to, to };
    const start = begun.get(pid);
    begun.delete(pid);
    return { pid, at, text: (start?.text ?? "") + text.slice(text.indexOf(">") + 1), from: start?.from ?? to, to };
  }

  /** Unfinished calls, by process: a child may appear before its parent's fork ends. */
  return { push, begun: begun as ReadonlyMap<number, BegunCall> };
}
