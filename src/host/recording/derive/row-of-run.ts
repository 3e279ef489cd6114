import { closeSync, fstatSync, readSync } from "node:fs";
import type { RunRow } from "../../../pure/pipeline/index.ts";
import { openToRead } from "../../files/index.ts";
import { type RunManifest, runPaths } from "../format/index.ts";
import { runInfoOf } from "./derive-run.ts";

/** How much of a prompt a list can use. */
const PROMPT_HEAD = 400;

export function rowOfRun(manifest: RunManifest, directory: string, isWritten: boolean): RunRow {
  const { id, agent, name, tags, startedAt, model, resumes, sealed, cwd, evaluated } = manifest;
  const paths = runPaths(directory);
  return {
    id,
    agent,
    status: isWritten ? "running" : sealed === undefined ? "unfinished" : sealed.status,
    reason: sealed?.reason ?? null,
    startedAt,
    durationMs: sealed?.durationMs ?? null,
    model: sealed?.model ?? model ?? null,
    usage: sealed?.usage ?? null,
    costUsd: sealed?.costUsd ?? null,
    toolCalls: sealed?.toolCalls ?? null,
    subagents: sealed?.subagents ?? null,
    events: sealed?.events ?? null,
    unknown: sealed?.unknown ?? null,
    bytes: ofFile(paths.stdout, (fd) => fstatSync(fd).size),
    name: name ?? null,
    tags,
    prompt: sealed !== undefined ? ofFile(paths.prompt, headOf) : unsealedPrompt(manifest, paths.prompt),
    cwd,
    sessionId: sealed?.sessionId ?? null,
    resumes: resumes ?? null,
    evaluated: evaluated === undefined ? null : { id: evaluated.id, trial: evaluated.trial ?? null },
  };
}

/** For a run whose description cannot be read. */
export function damagedRow(id: string): RunRow {
  const nothing = { agent: null, reason: null, startedAt: null, durationMs: null, model: null, usage: null, costUsd: null };
  const counts = { toolCalls: null, subagents: null, events: null, unknown: null, bytes: null };
  const words = { name: null, tags: [], prompt: null, cwd: null, sessionId: null, resumes: null, evaluated: null };
  return { id, status: "damaged", ...nothing, ...counts, ...words };
}

function headOf(fd: number): string {
  const buffer = Buffer.alloc(PROMPT_HEAD);
  return buffer.toString("utf8", 0, readSync(fd, buffer, 0, PROMPT_HEAD, 0));
}

/** Until the seal the file may hold a secret, and is masked as it is read. */
function unsealedPrompt(manifest: RunManifest, path: string): string | null {
  try {
    return runInfoOf(manifest, path).prompt?.slice(0, PROMPT_HEAD) ?? null;
  } catch {
    return null;
  }
}

/** Null where it cannot be read: a run that lost it is still a run. */
function ofFile<T>(path: string, read: (fd: number) => T): T | null {
  let fd: number | undefined;
  try {
    fd = openToRead(path);
    return fd === undefined ? null : read(fd);
  } catch {
    return null;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
