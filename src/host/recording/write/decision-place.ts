import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shellLine } from "../../../pure/base/index.ts";
import type { Agent } from "../../../pure/pipeline/index.ts";
import { insideProgram } from "../../process/index.ts";

/** A place that an agent's hooks ask before each call, chosen before the run and opened with it. */
export interface DecisionPlace {
  readonly folder: string;
  readonly socket: string;
  readonly speech: NonNullable<Agent["hook"]>;
  /** The shell command of the hook; for our own agents the socket. It fails closed: if it cannot ask, or gets no valid answer, it exits with 2, which denies. */
  readonly hook: string;
}

/** Creates nothing yet. A socket's path must be short. */
export function planDecisions(speech: DecisionPlace["speech"]): DecisionPlace {
  const folder = join(tmpdir(), `harness-${randomBytes(8).toString("hex")}`);
  const socket = join(folder, "s");
  if (speech === "socket") return { folder, socket, speech, hook: socket };
  return { folder, socket, speech, hook: `${shellLine([process.execPath, insideProgram("hook"), socket, speech])} || exit 2` };
}
