import { findBinary, insideProgram } from "../../../host/process/index.ts";
import { HarnessError } from "../../../pure/base/index.ts";
import type { Agent } from "../../../pure/pipeline/index.ts";
import { sentenceOf } from "../../terminal/index.ts";
import { currentDirectory } from "./current-directory.ts";

/** The program that a run would start: the chosen one, else the first on PATH. `problem` says why there is none. */
export function programOf(agent: Agent, binary: string | undefined): { readonly path: string | null; readonly problem: string | null } {
  const { binaries: names, install } = agent;
  try {
    if (agent.inside && binary === undefined) return { path: insideProgram(), problem: null };
    return { path: findBinary({ binary, names, install, path: process.env["PATH"], cwd: currentDirectory() }), problem: null };
  } catch (error) {
    if (error instanceof HarnessError) return { path: null, problem: sentenceOf(error) };
    throw error;
  }
}
