import { closeSync, fstatSync, readSync } from "node:fs";
import type { RunRow } from "../../../pure/pipeline/index.ts";
import { openToRead } from "../../files/index.ts";
import { type RunManifest, runPaths } from "../format/index.ts";
import { runInfoOf } from "./derive-run.ts";

/** How much of a prompt a list shows. */
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
    ...(sealed?.partialUsage && { partialUsage: sealed.partialUsage }),
    ...(sealed?.partialCost && { partialCost: sealed.partialCost }),
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

/** For a run with an unreadable run.json. */
export function damagedRow(id: string): RunRow {
  const nothing = { agent: null, reason: null, startedAt: null, durationMs: null, model: null, usage: null, costUsd: null };
  const counts = { toolCalls: null, subagents: null, events: null, unknown: null, bytes: null };
  const labels = { name: null, tags: [], prompt: null, cwd: null, sessionId: null, resumes: null, evaluated: null };
  return { id, status: "damaged", ...nothing, ...counts, ...labels };
}

function headOf(fd: number): string {
  const buffer = Buffer.alloc(PROMPT_HEAD);
  return buffer.toString("utf8", 0, readSync(fd, buffer, 0, PROMPT_HEAD, 0));
}

/** Before the seal the file may hold a secret, so it is masked while reading. */
function unsealedPrompt(manifest: RunManifest, path: string): string | null {
  try {
    return runInfoOf(manifest, path).prompt?.slice(0, PROMPT_HEAD) ?? null;
  } catch {
    return null;
  }
}

/** Null if the file is unreadable: a run without it is still a run. */
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
