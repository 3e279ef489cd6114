import { constants } from "node:os";
import { runProgram } from "../../../host/process/index.ts";
import { errorWords } from "../../../pure/base/index.ts";
import type { Graded, PreparedGrader } from "../trial/index.ts";
import { placesIn } from "./command-places.ts";
import { verdictEnvironment } from "./grader-environment.ts";

/** `command:<shell command>`: passes if the command exits with 0 in the workspace that the agent left. */
export function commandGrader(command: string, timeoutMs: number): PreparedGrader {
  return {
    name: `command:${command}`,
    needsWorkspace: true,
    files: placesIn(command),
    async grade({ cwd, id, run }, signal, launcher): Promise<Graded> {
      if (cwd === undefined) return { error: "the workspace of this run was not kept, so the command cannot run" };
      try {
        const env = verdictEnvironment({ HARNESS_CASE: id, ...(run === undefined ? {} : { HARNESS_RUN: run }) }, cwd);
        const end = await runProgram({ binary: "/bin/sh", args: ["-c", command], cwd, env, timeoutMs, signal, launcher });
        if (end.isTimedOut) return { error: `the command did not end within ${timeoutMs} ms` };
        if (end.signal !== null) return { error: `the command was ended by ${end.signal}` };
        const died = end.exitCode === null ? undefined : signalIn(end.exitCode);
        if (died !== undefined) return { error: `the command ended with code ${end.exitCode}, as if by ${died}: ${lastLines(end.stderr)}` };
        if (end.exitCode === 126 || end.exitCode === 127) return { error: `the command could not be run: ${lastLines(end.stderr)}` };
        const pass = end.exitCode === 0;
        const reasoning = `exit code ${end.exitCode}${pass ? "" : `: ${lastLines(end.stderr.trim() === "" ? end.stdout : end.stderr)}`}`;
        return { grade: { pass, score: pass ? 1 : 0, reasoning } };
      } catch (error) {
        return { error: errorWords(error) };
      }
    },
  };
}

/** Signals that end a program which did not mean to. Other codes over 128 are ordinary: mocha exits with the number of failed tests. */
const FATAL = ["SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGABRT", "SIGBUS", "SIGFPE", "SIGKILL", "SIGSEGV", "SIGPIPE", "SIGTERM"] as const;

/**
 * The signal behind an exit code: a shell reports that the last command of its line died of signal n as 128 + n. A command that chooses
 * such a code for a verdict is indistinguishable from one that died, so it gets no grade.
 */
function signalIn(code: number): string | undefined {
  return FATAL.find((name) => code === 128 + constants.signals[name]);
}

function lastLines(text: string): string {
  return text.trim().split("\n").slice(-5).join("\n").slice(-2000);
}
