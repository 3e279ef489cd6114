import type { Readable, Writable } from "node:stream";
import type { HarnessError } from "../../pure/base/index.ts";
import type { FactBody, Resources } from "../../pure/events/index.ts";
import type { Wiring } from "../proxy/index.ts";
import type { Wanted } from "./find-binary.ts";

/** How a program is started, watched and ended. A launcher that wraps another one changes the `Launch` it passes on. */
export interface Launcher {
  /** The launcher's name in the recording. */
  readonly id: string;
  /** Rejects with the cause if the program cannot be started; then none of its processes are running. */
  launch(program: Launch): Promise<Launched>;
  /** The program's path, for a launcher that runs programs of a different machine. Undefined: look on PATH. */
  find?(wanted: Wanted): string | undefined;
  /** The names of limits that it enforces itself, given as `limits` of a launch. */
  readonly enforces?: readonly string[];
  /** Called before the run has a directory. Rejects if programs cannot be launched here. The result, plain JSON, is stored with the run. */
  probe?(program: Omit<Launch, "cookie" | "stdio">): Promise<Readonly<Record<string, unknown>>>;
}

export interface Launch {
  readonly binary: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Marks the run's processes: it must be in their environment, as `HARNESS_RUN_COOKIE`. */
  readonly cookie: string;
  /** A command that becomes the command after it. It comes first, also in front of walls: it joins control groups, which are outside. */
  readonly before?: readonly string[];
  /** The program's descriptors; the caller closes its own copies when `launch` has settled. */
  readonly stdio: LaunchStdio;
  /** What the program may use, for a launcher that enforces it. */
  readonly limits?: Readonly<Record<string, number | undefined>>;
  /** Gives the program a socket to us as descriptor 6. Unlike a file or a pipe, no other process can open it. */
  readonly channel?: true;
  /** Adds what the launcher notices to the recording, until `finish` has resolved. */
  readonly report?: (fact: FactBody) => void;
  /** Records the program's requests to its model. */
  readonly wire?: Wiring;
}

export type LaunchStdio = readonly [stdin: number | "ignore" | "pipe", stdout: number | "pipe", stderr: number | "ignore"];

/** A running program and everything it started. */
export interface Launched {
  /** The process that leads all the others. */
  readonly pid: number;
  /** The first of the processes that are counted, if that is not `pid`. */
  readonly leader?: () => number | undefined;
  /** Its standard input, if that is a pipe. */
  readonly stdin: Writable | null;
  /** Its standard output, if that is a pipe. */
  readonly stdout: Readable | null;
  /** What it writes to descriptor 6, if that was asked for and is possible. */
  readonly channel?: Readable;
  /**
   * Resolves when the program itself has ended; processes it started may still run. Never rejects. If it is still pending a second after
   * `finish` has resolved, or 30 seconds after `finish` was called, the run ends without an exit code.
   */
  readonly exited: Promise<LaunchExit>;
  /** Signals the program and everything in its process group; stopped processes are woken up to receive it. */
  signal(name: NodeJS.Signals): void;
  /** Ends everything that still runs. Resolves with the number of processes left behind, or null if unknown. Never rejects. */
  finish(): Promise<number | null>;
  /** Why the program never ran, if the exit belongs to the process that should have become it. `stderr` is the start of its stderr. */
  unstarted?(exit: LaunchExit, stderr: string): HarnessError | undefined;
  /** Starts measuring resources. Call the result to stop and get them. */
  measure?(): () => Resources;
  /** The limit that the program has exceeded. Asked when the program has exited, and again after `finish`. */
  exceeded?(): Exceeded | undefined;
}

export interface Exceeded {
  /** The limit for which the program was ended; undefined if only a process that it started was. */
  readonly limit: string | undefined;
  readonly message: string;
}

export interface LaunchExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}
