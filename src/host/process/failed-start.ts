import { HarnessError } from "../../pure/base/index.ts";
import { GUARD_NAME } from "./guardian.ts";
import type { LaunchExit } from "./launcher.ts";

/** Every shell exits with this code if the program is not found. */
const NOT_FOUND = 127;

/**
 * Detects an agent that never ran: its guardian, which should have become the agent, exited instead. The guardian reports that under its
 * own name, in the first line of the agent's stderr. Undefined for an agent that did run.
 */
export function failedStart(binary: string, { exitCode }: LaunchExit, stderr: string): HarnessError | undefined {
  if (exitCode === null || exitCode === 0 || !stderr.startsWith(`${GUARD_NAME}: `)) return undefined;
  const [line = ""] = stderr.split("\n", 1);
  const cause = line.slice(line.lastIndexOf(": ") + 2);
  const why = exitCode === NOT_FOUND ? "the file, or the interpreter named in its first line, was not found" : `the system says "${cause}"`;
  return new HarnessError("start", `Cannot start ${binary}: ${why}.`);
}
