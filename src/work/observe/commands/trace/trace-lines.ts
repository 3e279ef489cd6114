/** What one line of a trace tells, once what was begun and what was resumed are put together. */
export interface TraceLine {
  readonly pid: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly text: string;
}

const UNFINISHED = " <unfinished ...>";

/** Puts together what `strace` had to tell in two pieces, because another process came between. */
export function traceLines() {
  const begun = new Map<number, string>();

  /** Undefined: the line is a beginning; null: it is no line of a trace. */
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
      // A thread that starts a program becomes the process, and its call is resumed under that number.
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

  /** Calls that have begun, by process: a child may be heard of before its parent's fork is over. */
  return { push, begun: begun as ReadonlyMap<number, string> };
}
