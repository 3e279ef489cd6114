import { randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, mkdtempSync, openSync, readSync, rmSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { forProgram, writeFully } from "../sink/index.ts";
import type { Launcher } from "./launcher.ts";
import { localLauncher } from "./local-launcher.ts";
import { type ProgramBounds, watchProgram } from "./watch-program.ts";

export interface Program {
  readonly binary: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly stdin?: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** How much of its output is kept. Default: 1 MiB. */
  readonly maxOutput?: number;
  /** How much of the end of its output is kept too, if it prints more than that. Default: nothing. */
  readonly maxEnd?: number;
  /** The program is ended if it exceeds these. Default: none. */
  readonly bounds?: ProgramBounds;
  /** Receives the output while the program runs, up to `maxOutput`, sampled every 100 ms. */
  readonly onOutput?: (text: string) => void;
  /** Default: a process on this machine. */
  readonly launcher?: Launcher | undefined;
}

export interface ProgramEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly isTimedOut: boolean;
  /** Whether it printed more than was kept. */
  readonly isCut: boolean;
  /** The end of its output, and how many bytes are missing before it, if it was cut and `maxEnd` was set. */
  readonly stdoutEnd?: { readonly text: string; readonly missing: number };
  /** The bound it exceeded, for which it was ended. */
  readonly exceeded?: keyof ProgramBounds;
  /** The names of the processes that still ran when it had ended, and were ended then. Empty without /proc. */
  readonly survivors: readonly string[];
}

const MEBIBYTE = 1024 * 1024;

/**
 * Runs a program other than an agent, together with everything it starts, until it ends or exceeds a limit. It runs behind the same
 * guardian and prints into files without a name, so neither a grandchild that holds its output nor our own death leaves anything running.
 */
export async function runProgram(program: Program): Promise<ProgramEnd> {
  const { stdin, timeoutMs, signal, maxOutput = MEBIBYTE, launcher = localLauncher } = program;
  signal?.throwIfAborted();
  const folder = mkdtempSync(join(tmpdir(), "harness-program-"));
  const files: number[] = [];
  /** The file has no name any more: a process that escaped from an earlier run cannot write a verdict into it by its path. */
  const open = (name: string, flags: number) => {
    const path = join(folder, name);
    const fd = openSync(path, flags | constants.O_CREAT | constants.O_EXCL, 0o600);
    files.push(fd);
    unlinkSync(path);
    return fd;
  };
  try {
    const { O_RDWR, O_APPEND } = constants;
    const out = open("stdout", O_RDWR | O_APPEND);
    const err = open("stderr", O_RDWR | O_APPEND);
    const input = stdin === undefined ? ("ignore" as const) : open("stdin", O_RDWR);
    if (stdin !== undefined && input !== "ignore") writeInput(input, stdin);
    const cookie = `program.${randomBytes(12).toString("hex")}`;
    const running = await launcher.launch({ ...program, cookie, stdio: [input, out, err] });
    let isTimedOut = false;
    const stop = () => void running.finish();
    const timer = setTimeout(() => {
      isTimedOut = true;
      stop();
    }, timeoutMs);
    signal?.addEventListener("abort", stop);
    if (signal?.aborted) stop(); // aborted while it was being started
    const watch = watchProgram(running.pid, [out, err], { ...program, maxOutput }, stop);
    try {
      const exit = await running.exited;
      const survivors = watch.survivors();
      await running.finish();
      watch.look();
      const exceeded = watch.exceeded();
      return {
        ...exit,
        stdout: textOf(out, maxOutput),
        stderr: textOf(err, maxOutput),
        isTimedOut,
        isCut: fstatSync(out).size > maxOutput,
        ...endOf(out, maxOutput, program.maxEnd ?? 0),
        ...(exceeded !== undefined && { exceeded }),
        survivors,
      };
    } finally {
      watch.end();
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    }
  } finally {
    for (const fd of files) closeSync(fd);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes at explicit positions: the program that inherits the file reads it from the start. */
function writeInput(fd: number, text: string): void {
  const { error } = writeFully(fd, forProgram(text), 0);
  if (error !== undefined) throw error;
}

function endOf(fd: number, kept: number, limit: number): Pick<ProgramEnd, "stdoutEnd"> {
  const { size } = fstatSync(fd);
  if (size <= kept || limit === 0) return {};
  const from = Math.max(kept, size - limit);
  return { stdoutEnd: { text: textOf(fd, limit, from), missing: from - kept } };
}

function textOf(fd: number, limit: number, from = 0): string {
  const bytes = Buffer.alloc(Math.min(limit, Math.max(0, fstatSync(fd).size - from)));
  let filled = 0;
  while (filled < bytes.length) {
    const read = readSync(fd, bytes, filled, bytes.length - filled, from + filled);
    if (read === 0) break;
    filled += read;
  }
  return bytes.toString("utf8", 0, filled);
}
