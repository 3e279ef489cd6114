import type { Readable, Writable } from "node:stream";
import type { HarnessError } from "../../pure/base/index.ts";
import type { Resources } from "../../pure/events/index.ts";
import type { Wanted } from "./find-binary.ts";

/** How a program is started, watched and ended. One that wraps another changes what it asks that one to launch. */
export interface Launcher {
  /** What the recording calls it. */
  readonly id: string;
  /** Rejects with the cause if the program cannot be started; nothing of it is running then. */
  launch(program: Launch): Promise<Launched>;
  /** The program's path, for a launcher whose programs are not those of this machine. Undefined: it is looked for on PATH. */
  find?(wanted: Wanted): string | undefined;
  /** Called before the run has a directory. Rejects if programs cannot be launched here; the answer, plain JSON, is kept with the run. */
  probe?(program: Omit<Launch, "cookie" | "stdio">): Promise<Readonly<Record<string, unknown>>>;
}

export interface Launch {
  readonly binary: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Marks the processes of the run: it must reach their environment, as `HARNESS_RUN_COOKIE`. */
  readonly cookie: string;
  /** The program's own descriptors; the caller closes its copies when `launch` has settled. */
  readonly stdio: LaunchStdio;
}

/** What it reads and prints to. */
export type LaunchStdio = readonly [stdin: number | "ignore" | "pipe", stdout: number | "pipe", stderr: number | "ignore"];

/** A running program and everything it started. */
export interface Launched {
  /** The process that leads all others of it. */
  readonly pid: number;
  /** Its standard input, if that is a pipe. */
  readonly stdin: Writable | null;
  /** Its standard output, if that is a pipe. */
  readonly stdout: Readable | null;
  /** Resolves when the program itself has ended; what it left behind may still run. Never rejects. */
  readonly exited: Promise<LaunchExit>;
  /** To the program and all that stayed in its process group; what is stopped is woken up to hear it. */
  signal(name: NodeJS.Signals): void;
  /**
   * Ends everything that still runs; resolves when it is gone, with how many processes the program left behind, or null if that is not
   * known. Never rejects.
   */
  finish(): Promise<number | null>;
  /** Why the program never ran, if `exit` is not its own but that of what should have become it. `stderr`: the beginning of what is on it. */
  unstarted?(exit: LaunchExit, stderr: string): HarnessError | undefined;
  /** Starts to measure what it uses, and returns what tells and ends that. */
  measure?(): () => Resources;
}

export interface LaunchExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}
