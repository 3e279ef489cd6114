import { closeSync, openSync, readSync } from "node:fs";
import { type OpenedRun, runPaths } from "../../host/recording/index.ts";

/** One run as a list shows it. Null is "not known". */
export interface RunRow {
  readonly id: string;
  readonly agent: string | null;
  /** `running`, a run's status, `unfinished` where it could not be completed, or `damaged` where its description cannot be read. */
  readonly status: string | null;
  /** The agent's own id of its session, and the run whose session it went on with. */
  readonly sessionId: string | null;
  readonly resumes: string | null;
  readonly started: string | null;
  readonly durationMs: number | null;
  readonly model: string | null;
  readonly costUsd: number | null;
  readonly name: string | null;
  readonly tags: readonly string[];
  readonly prompt: string | null;
}

/** How much of a prompt a list can use. */
const PROMPT_HEAD = 400;

/** For a run whose description cannot be read. */
export function damagedRow(id: string): RunRow {
  return {
    id,
    agent: null,
    status: "damaged",
    sessionId: null,
    resumes: null,
    started: null,
    durationMs: null,
    model: null,
    costUsd: null,
    name: null,
    tags: [],
    prompt: null,
  };
}

export function rowOf({ manifest, owner, directory }: OpenedRun): RunRow {
  const { id, agent, name, tags, startedAt, model, resumes, sealed } = manifest;
  return {
    id,
    agent,
    status: owner !== undefined ? "running" : sealed === undefined ? "unfinished" : sealed.status,
    sessionId: sealed?.sessionId ?? null,
    resumes: resumes ?? null,
    started: new Date(startedAt).toISOString(),
    durationMs: sealed?.durationMs ?? null,
    model: sealed?.model ?? model ?? null,
    costUsd: sealed?.costUsd ?? null,
    name: name ?? null,
    tags,
    prompt: sealed !== undefined ? head(runPaths(directory).prompt) : null, // until the seal it may hold a secret
  };
}

function head(path: string): string | null {
  try {
    const fd = openSync(path, "r");
    const buffer = Buffer.alloc(PROMPT_HEAD);
    const count = readSync(fd, buffer, 0, PROMPT_HEAD, 0);
    closeSync(fd);
    return buffer.toString("utf8", 0, count);
  } catch {
    return null;
  }
}
