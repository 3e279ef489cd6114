/** One line of a trace, after the two parts of an interrupted call are joined. */
export interface TraceLine {
  readonly pid: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly text: string;
}

const UNFINISHED = " <unfinished ...>";

/** Joins calls that `strace` printed in two parts because another process came in between. */
export function traceLines() {
  const begun = new Map<number, string>();

  /** Undefined: the line starts a call that is not finished; null: it is not a line of a trace. */
  function push(line: string): TraceLine | undefined | null {
    const parts = /^(\d+)\s+(\d+\.\d+) (.*)$/s.exec(line);
    if (parts === null) return null;
    const pid = Number(parts[1]);
    const at = Number(parts[2]) * 1000;
    const text = parts[3] ?? "";
    if (text.endsWith(UNFINISHED)) {
      begun.set(pid, text.slice(0, -UNFINISHED.length));
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
    if (!text.startsWith("<... ")) return { pid, at, text };
    const whole = (begun.get(pid) ?? "") + text.slice(text.indexOf(">") + 1);
    begun.delete(pid);
    return { pid, at, text: whole };
  }

  /** Unfinished calls, by process: a child may appear before its parent's fork ends. */
  return { push, begun: begun as ReadonlyMap<number, string> };
}
