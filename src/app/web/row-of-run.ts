import { closeSync, fstatSync, readSync } from "node:fs";
import { openToRead } from "../../host/files/index.ts";
import { type RunManifest, runInfoOf, runPaths } from "../../host/recording/index.ts";
import type { RunRow } from "../../pure/timeline/index.ts";

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
    bytes: sizeOf(paths.stdout),
    name: name ?? null,
    tags,
    // Until the seal the file may hold a secret, and is masked as it is read.
    prompt: sealed !== undefined ? head(paths.prompt) : (runInfoOf(manifest, paths.prompt).prompt?.slice(0, PROMPT_HEAD) ?? null),
    cwd,
    sessionId: sealed?.sessionId ?? null,
    resumes: resumes ?? null,
    evaluated: evaluated === undefined ? null : { id: evaluated.id, trial: evaluated.trial ?? null },
  };
}

export function damagedRow(id: string): RunRow {
  const nothing = { agent: null, reason: null, startedAt: null, durationMs: null, model: null, usage: null, costUsd: null };
  const counts = { toolCalls: null, subagents: null, events: null, unknown: null, bytes: null };
  const words = { name: null, tags: [], prompt: null, cwd: null, sessionId: null, resumes: null, evaluated: null };
  return { id, status: "damaged", ...nothing, ...counts, ...words };
}

function sizeOf(path: string): number | null {
  return withFile(path, (fd) => fstatSync(fd).size);
}

function head(path: string): string | null {
  return withFile(path, (fd) => {
    const buffer = Buffer.alloc(PROMPT_HEAD);
    return buffer.toString("utf8", 0, readSync(fd, buffer, 0, PROMPT_HEAD, 0));
  });
}

function withFile<T>(path: string, use: (fd: number) => T): T | null {
  let fd: number | undefined;
  try {
    fd = openToRead(path);
    return fd === undefined ? null : use(fd);
  } catch {
    return null; // a run that lost it is still a run
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
