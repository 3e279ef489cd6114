import { type ChildProcess, spawn } from "node:child_process";
import { fstatSync, writeSync } from "node:fs";
import { PIPE_CLOSED } from "./exit-codes.ts";
import { isClosedPipe } from "./output.ts";

const STREAMS = [1, 2];
/** A command that ends sooner needs no watch. */
const FIRST_MS = 300;
const EVERY_MS = 250;

type State = "none" | "watched" | "gone" | "unwanted";
let state: State = "none";
let onGone: (() => void) | undefined;
let stop = () => {};

/**
 * From now on, notices within a second that the reader of stdout has left, even if nothing is written; or the reader of stderr, if no
 * program reads stdout. Then it calls what `whenReaderLeaves` was given, or ends the process.
 */
export function watchReader(): void {
  if (state !== "none") return;
  state = "watched";
  const read = STREAMS.map((fd) => ({ fd, stat: fstatSync(fd) })).find(({ stat }) => stat.isFIFO() || stat.isSocket());
  if (read === undefined) return;
  const { fd, stat } = read;
  const timer = setTimeout(() => (stop = stat.isFIFO() ? watchPipe(fd) : watchSocket(fd)), FIRST_MS);
  timer.unref();
  stop = () => clearTimeout(timer);
}

/** For a command that has written all it has to say, and continues. */
export function unwatchReader(): void {
  state = "unwanted";
  stop();
}

/** Sets what happens; undefined ends the process. */
export function whenReaderLeaves(act: (() => void) | undefined): void {
  onGone = act;
  if (state === "gone") act?.();
}

function left(): void {
  stop();
  if (state !== "watched") return;
  state = "gone";
  if (onGone === undefined) process.exit(PIPE_CLOSED);
  onGone();
}

/**
 * Node cannot wait for the other end of a pipe, and an empty write does not fail. GNU tail can: it dies by SIGPIPE. It ends with this
 * process. Without it, the next write notices.
 */
function watchPipe(fd: number): () => void {
  const args = ["-f", "-s", "0.25", `--pid=${process.pid}`, "/dev/null"];
  const child: ChildProcess = spawn("tail", args, { stdio: ["ignore", fd, "ignore"], env: { PATH: process.env["PATH"] } });
  child.on("error", () => {}).on("exit", (_, signal) => signal === "SIGPIPE" && left());
  child.unref();
  const end = () => child.kill("SIGKILL");
  process.on("exit", end); // it holds the pipe open
  return () => {
    process.off("exit", end);
    end();
  };
}

/** An empty write to a socket fails if the other end is closed. */
function watchSocket(fd: number): () => void {
  const timer = setInterval(() => {
    try {
      writeSync(fd, "");
    } catch (error) {
      if (isClosedPipe(error)) left();
    }
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
