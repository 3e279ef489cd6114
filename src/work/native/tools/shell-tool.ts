import { z } from "zod";
import { agentEnvironment, installed, runProgram } from "../../../host/process/index.ts";
import { keyVariables } from "../../../pure/base/index.ts";
import { headAndTail } from "../head-and-tail.ts";
import type { WorkspaceFiles } from "../workspace-files.ts";
import { ourTool } from "./our-tool.ts";

export interface ShellLimits {
  /** The default time limit of a command. Default: two minutes. */
  readonly timeoutMs?: number;
  /** How much of its output the model sees; the end matters most. Default: 30,000 characters. */
  readonly characters?: number;
  /** The limits that end a command: bytes printed, and processes in parallel. Default: 64 MiB, and 256. */
  readonly output?: number;
  readonly processes?: number;
}

const MOST_SECONDS = 3600;
const KEPT = 1024 * 1024;

export const shellTool = (files: WorkspaceFiles, limits: ShellLimits = {}, parent: NodeJS.ProcessEnv = process.env) => {
  const { timeoutMs = 120_000, characters = 30_000, output = 64 * 2 ** 20, processes = 256 } = limits;
  return ourTool({
    description: `Runs a shell command in the workspace and ends everything it started when it exits. Its time limit is ${timeoutMs / 1000} seconds, unless timeout_secs sets a different one.`,
    shape: { command: z.string().min(1), timeout_secs: z.number().positive().max(MOST_SECONDS).optional() },
    async run({ command, timeout_secs }, { signal, context }) {
      const limit = timeout_secs === undefined ? timeoutMs : timeout_secs * 1000;
      const {
        exitCode,
        signal: killedBy,
        stdout,
        stdoutEnd,
        isTimedOut,
        exceeded,
      } = await runProgram({
        binary: installed(["bash", "sh"], parent["PATH"]) ?? "/bin/sh",
        args: ["-c", `exec 2>&1\n${command}`], // one stream keeps the order
        cwd: files.root,
        env: environmentOf(parent),
        timeoutMs: limit,
        signal,
        maxOutput: KEPT,
        maxEnd: KEPT,
        bounds: { output, processes },
        onOutput: (text) => context.progress({ output: text }),
      });
      signal.throwIfAborted();
      const why = isTimedOut ? `It was stopped after ${limit / 1000} seconds.` : exceeded === undefined ? undefined : EXCEEDED[exceeded];
      const ending =
        why ?? (exitCode === 0 ? undefined : `It ended with ${exitCode === null ? `signal ${killedBy}` : `exit code ${exitCode}`}.`);
      const shown = headAndTail(stdout, characters, stdoutEnd);
      const parts = [shown === "" ? "(no output)" : shown, ...(ending === undefined ? [] : [ending])];
      return { context: parts.join("\n"), result: { exitCode, signal: killedBy, timedOut: isTimedOut, ...(exceeded && { exceeded }) } };
    },
  });
};

const EXCEEDED = {
  output: "It was stopped because it printed too much.",
  processes: "It was stopped because it started too many processes.",
} as const;

/** A command needs no model keys, and a model reads its output. */
function environmentOf(parent: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { env } = agentEnvironment(parent, {});
  for (const name of keyVariables) delete env[name];
  return env;
}
