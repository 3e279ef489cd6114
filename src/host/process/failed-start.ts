import { HarnessError } from "../../pure/base/index.ts";
import { GUARD_NAME } from "./guardian.ts";
import type { LaunchExit } from "./launcher.ts";

/** Not found, or not executable: what every shell exits with where it cannot become another program. */
const NOT_FOUND = 127;

/**
 * The agent never ran: its guardian, which should have become the agent, ended in its place. It says so under its own name, in
 * the first line of the agent's stderr. Undefined for an agent that did run.
 */
export function failedStart(binary: string, { exitCode }: LaunchExit, stderr: string): HarnessError | undefined {
  if (exitCode === null || exitCode === 0 || !stderr.startsWith(`${GUARD_NAME}: `)) return undefined;
  const [line = ""] = stderr.split("\n", 1);
  const words = line.slice(line.lastIndexOf(": ") + 2);
  const why = exitCode === NOT_FOUND ? "it, or the interpreter that its first line names, is not there" : `the system says "${words}"`;
  return new HarnessError("start", `Cannot start ${binary}: ${why}.`);
}
