const PREFIXED = /^\[pid +(\d+)\] (.*)$/s;
const TIMED = /^\d+\.\d+ /;
const STARTED = /^\d+\.\d+ execve\(.*\) = 0$/s;
const ENDED = /^\d+\.\d+ \+\+\+ (?:superseded by execve in pid (\d+)|exited|killed)/;
const STARTS_CHILD =
  /^\d+\.\d+ (?:(?:clone3?|v?fork)\(|<\.\.\. (?:clone3?|v?fork) resumed>).* = (\d+)(?: \/\* (\d+) in strace's PID NS \*\/)?$/s;

/**
 * Turns the lines that strace prints on its stderr into those it would write to a file, which all begin with a process id. On stderr a line
 * has none while strace follows one process only. Leaves out the shell that becomes the program, which says its process id. A line that
 * belongs to no one process is kept unchanged, and makes the trace incomplete. Calls `over` when the program itself has ended.
 */
export function ownLines(over: () => void = () => {}): (line: string) => string | undefined {
  /** Processes that have a line, and have not ended. strace follows these, and perhaps new ones. */
  const seen = new Set<number>();
  /** Children of which no line has been seen. */
  const expected = new Set<number>();
  let starts = 0;
  let first: number | undefined;

  function only(): number | undefined {
    const [one, other] = seen.size > 0 ? seen : expected;
    return other === undefined ? one : undefined;
  }

  /** Before the program starts, there is only the shell. Undefined until then. */
  function begun(line: string): string | undefined {
    if (/^\d+$/.test(line)) {
      first = Number(line);
      seen.add(first);
    }
    if (STARTED.test(line)) starts++;
    return starts < 2 ? undefined : `${only() ?? ""} ${line}`;
  }

  return (line) => {
    if (starts < 2) return begun(line);
    const [, number, text = line] = PREFIXED.exec(line) ?? [];
    const pid = number === undefined ? (TIMED.test(line) ? only() : undefined) : Number(number);
    if (pid === undefined) return line;
    seen.add(pid);
    expected.delete(pid);
    const child = STARTS_CHILD.exec(text);
    if (child !== null) {
      const id = Number(child[2] ?? child[1]);
      if (!seen.has(id)) expected.add(id);
    }
    const end = ENDED.exec(text);
    if (end !== null) for (const each of [seen, expected]) each.delete(end[1] === undefined ? pid : Number(end[1]));
    if (end !== null && end[1] === undefined && pid === first) over();
    return `${pid} ${text}`;
  };
}
