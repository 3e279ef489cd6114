import { fstatSync, readSync } from "node:fs";
import { basename } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { WATCH_NAME } from "./guardian.ts";
import { processFile, processIds, processStat } from "./process-files.ts";

export interface ProgramBounds {
  /** Bytes printed, which take up disk space. */
  readonly output?: number;
  /** Processes at the same time. As root, no system limit would apply. */
  readonly processes?: number;
}

interface Watched {
  readonly bounds?: ProgramBounds;
  readonly onOutput?: (text: string) => void;
  readonly maxOutput: number;
}

const EVERY_MS = 100;

/** Checks a running program at intervals: passes on its output, and stops it if it exceeds its bounds. */
export function watchProgram(
  pid: number,
  [out, err]: readonly [out: number, err: number],
  { bounds = {}, onOutput, maxOutput }: Watched,
  stop: () => void,
) {
  const decoder = new StringDecoder("utf8");
  const buffer = Buffer.allocUnsafe(64 * 1024);
  let passed = 0;
  let exceeded: keyof ProgramBounds | undefined;

  function passOn(): void {
    while (onOutput !== undefined && passed < maxOutput) {
      const count = readSync(out, buffer, 0, Math.min(buffer.length, maxOutput - passed), passed);
      if (count === 0) return;
      passed += count;
      const text = decoder.write(buffer.subarray(0, count));
      if (text !== "") onOutput(text);
    }
  }

  function look(): void {
    passOn();
    const { output = Number.POSITIVE_INFINITY, processes = Number.POSITIVE_INFINITY } = bounds;
    if (fstatSync(out).size + fstatSync(err).size > output) exceeded ??= "output";
    else if (processes !== Number.POSITIVE_INFINITY && processesOf(pid) > processes) exceeded ??= "processes";
    if (exceeded !== undefined) stop();
  }

  const isNeeded = onOutput !== undefined || bounds.output !== undefined || bounds.processes !== undefined;
  const timer = isNeeded ? setInterval(look, EVERY_MS) : undefined;
  return { look: () => passOn(), exceeded: () => exceeded, survivors: () => survivorsOf(pid), end: () => clearInterval(timer) };
}

/** The programs that still run in the session that this process led. */
function survivorsOf(session: number): readonly string[] {
  return processIds().flatMap((pid) => {
    const [state, , , led] = processStat(pid);
    if (pid === session || Number(led) !== session || state === "Z") return [];
    const argv = processFile(pid, "cmdline").toString().split("\0");
    return argv[0] === undefined || argv[0] === "" || argv[3] === WATCH_NAME ? [] : [basename(argv[0])];
  });
}

/** The number of processes in the session that this process leads; 0 without /proc. */
function processesOf(session: number): number {
  return processIds().filter((pid) => Number(processStat(pid)[3]) === session).length;
}
