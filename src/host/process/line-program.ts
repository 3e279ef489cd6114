import { spawn } from "node:child_process";
import { StringDecoder } from "node:string_decoder";
import { errorWords } from "../../pure/base/index.ts";
import { forProgram, writeStream } from "../sink/index.ts";

export interface LineProgram {
  /** Writes one line to its standard input. */
  send(line: string): void;
  /** Kills it immediately. Nothing is left behind, because it starts no processes. */
  kill(): void;
  /** Resolves when it has exited, with a short description of how. */
  readonly gone: Promise<string>;
}

interface Start {
  readonly file: string;
  readonly nodeFlags: readonly string[];
  readonly cwd: string;
  readonly onLine: (line: string) => void;
}

const STDERR_KEPT = 500;

/** Starts a program from this package and exchanges lines with it. It gets none of our environment and ends when its input does. */
export function lineProgram({ file, nodeFlags, cwd, onLine }: Start): LineProgram {
  const child = spawn(process.execPath, [...nodeFlags, file], { cwd, env: {}, stdio: ["pipe", "pipe", "pipe"] });
  const decoder = new StringDecoder("utf8");
  let rest: string[] = [];
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    const [first = "", ...more] = decoder.write(chunk).split("\n");
    rest.push(first);
    for (const next of more) {
      onLine(rest.join(""));
      rest = [next];
    }
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString("utf8")).slice(-STDERR_KEPT);
  });
  child.stdin.on("error", () => {}); // it has exited: see `gone`
  const gone = new Promise<string>((resolve) => {
    child.on("error", (error) => resolve(errorWords(error)));
    child.on("close", (code, signal) => resolve(stderr.trim() || (signal === null ? `exit code ${code}` : signal)));
  });
  return {
    send: (line) => void writeStream(child.stdin, forProgram(`${line}\n`)).catch(() => {}),
    kill: () => void child.kill("SIGKILL"),
    gone,
  };
}
