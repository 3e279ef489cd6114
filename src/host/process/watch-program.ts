import { fstatSync, readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { processIds, processStat } from "./process-files.ts";

export interface ProgramBounds {
  /** Bytes that it printed: they stand on a disk. */
  readonly output?: number;
  /** Processes at once. As root no limit of the system's would hold it. */
  readonly processes?: number;
}

interface Watched {
  readonly bounds?: ProgramBounds;
  readonly onOutput?: (text: string) => void;
  readonly maxOutput: number;
}

const EVERY_MS = 100;

/** Looks at a running program every so often: tells what it printed, and ends it where it exceeds its bounds. */
export function watchProgram(
  pid: number,
  [out, err]: readonly [out: number, err: number],
  { bounds = {}, onOutput, maxOutput }: Watched,
  stop: () => void,
) {
  const decoder = new StringDecoder("utf8");
  const buffer = Buffer.allocUnsafe(64 * 1024);
  let told = 0;
  let exceeded: keyof ProgramBounds | undefined;

  function tell(): void {
    while (onOutput !== undefined && told < maxOutput) {
      const count = readSync(out, buffer, 0, Math.min(buffer.length, maxOutput - told), told);
      if (count === 0) return;
      told += count;
      const text = decoder.write(buffer.subarray(0, count));
      if (text !== "") onOutput(text);
    }
  }

  function look(): void {
    tell();
    const { output = Number.POSITIVE_INFINITY, processes = Number.POSITIVE_INFINITY } = bounds;
    if (fstatSync(out).size + fstatSync(err).size > output) exceeded ??= "output";
    else if (processes !== Number.POSITIVE_INFINITY && processesOf(pid) > processes) exceeded ??= "processes";
    if (exceeded !== undefined) stop();
  }

  const isNeeded = onOutput !== undefined || bounds.output !== undefined || bounds.processes !== undefined;
  const timer = isNeeded ? setInterval(look, EVERY_MS) : undefined;
  return { look: () => tell(), exceeded: () => exceeded, end: () => clearInterval(timer) };
}

/** How many there are in the session that it leads. Without /proc none is seen. */
function processesOf(session: number): number {
  return processIds().filter((pid) => Number(processStat(pid)[3]) === session).length;
}
