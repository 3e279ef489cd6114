import { relative } from "node:path";
import { z } from "zod";
import { agentEnvironment, installed, runProgram } from "../../../host/process/index.ts";
import { keyVariables } from "../../../pure/base/index.ts";
import { headAndTail } from "../head-and-tail.ts";
import type { WorkspaceFiles } from "../workspace-files.ts";
import { startJob } from "./background.ts";
import { ourTool } from "./our-tool.ts";
import { keepDirectory, shellDirectory } from "./shell-directory.ts";

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
    description: `Runs a shell command and ends everything it started when it exits. The next command starts in the directory that this one ended in. Its time limit is ${timeoutMs / 1000} seconds, unless timeout_secs sets a different one. With background it keeps running: read it with shell_output, end it with shell_stop; it ends with your work at the latest.`,
    shape: {
      command: z.string().min(1),
      timeout_secs: z.number().positive().max(MOST_SECONDS).optional(),
      background: z.boolean().optional().describe("For servers and watchers"),
    },
    directory: (state) => shellDirectory(files.root, state),
    async run({ command, timeout_secs, background = false }, { signal, context }) {
      const limit = timeout_secs !== undefined ? timeout_secs * 1000 : background ? MOST_SECONDS * 1000 : timeoutMs;
      const cwd = context.directory ?? shellDirectory(files.root, context.state);
      const program = {
        binary: installed(["bash", "sh"], parent["PATH"]) ?? "/bin/sh",
        args: ["-c", `exec 9>&2 2>&1; trap 'pwd -P >&9' EXIT\n${command}`], // one stream keeps the order
        cwd,
        env: environmentOf(parent),
        timeoutMs: limit,
        signal,
        maxOutput: background ? output : KEPT,
        bounds: { output, processes },
      };
      if (background) {
        const job = startJob(context.state, command, program);
        return { context: `It runs in the background as ${job}.`, result: { background: job } };
      }
      const ended = await runProgram({ ...program, maxEnd: KEPT, onOutput: (text) => context.progress({ output: text }) });
      const { exitCode, signal: killedBy, stdout, stdoutEnd, stderr, isTimedOut, exceeded, survivors } = ended;
      signal.throwIfAborted();
      const why = isTimedOut ? `It was stopped after ${limit / 1000} seconds.` : exceeded === undefined ? undefined : EXCEEDED[exceeded];
      const ending =
        why ?? (exitCode === 0 ? undefined : `It ended with ${exitCode === null ? `signal ${killedBy}` : `exit code ${exitCode}`}.`);
      const left = why === undefined && survivors.length > 0 ? `What it left running was ended: ${survivors.join(", ")}.` : undefined;
      const outside = keepDirectory(files.root, context.state, stderr);
      const directory = shellDirectory(files.root, context.state);
      const moved =
        outside !== undefined
          ? `${outside.outside} is outside the workspace: the next command starts in the workspace again.`
          : directory === cwd
            ? undefined
            : `(now in ${relative(files.root, directory) || "the workspace"})`;
      const shown = headAndTail(stdout, characters, stdoutEnd);
      const parts = [shown === "" ? "(no output)" : shown, ending, left, moved].filter((part) => part !== undefined);
      return {
        context: parts.join("\n"),
        result: {
          exitCode,
          signal: killedBy,
          timedOut: isTimedOut,
          ...(exceeded && { exceeded }),
          ...(directory !== cwd && { directory }),
        },
      };
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
