import { createHash } from "node:crypto";
import { closeSync, constants, openSync, readSync } from "node:fs";
import { clipped } from "../core/clipped.ts";
import type { ExitRecord } from "../core/record.ts";
import type { runSummary } from "../core/run-summary.ts";
import type { FileSeal, RunManifest, Seal } from "../store/run-manifest.ts";
import { writeAtomically } from "../store/write-atomically.ts";
import { jsonText } from "./run-directory.ts";

/** What the verdict of a run is made of, beside its files. */
export interface Ending {
  readonly exit: ExitRecord;
  readonly summary: ReturnType<ReturnType<typeof runSummary>["summary"]>;
  readonly eventCount: number;
  readonly records: number;
  readonly head: string;
}

export function sealOf(
  at: number,
  { exit, summary, eventCount, records, head }: Ending,
  rest: Pick<Seal, "masked" | "leftovers" | "files" | "truncated" | "repairs">,
): Seal {
  const { status, reason, exitCode, signal, durationMs, sessionId, model, usage, cost, toolCalls, subagents, unknown } = summary;
  return {
    at,
    status,
    reason,
    exitCode,
    signal,
    stopped: exit.stopped,
    durationMs,
    sessionId,
    model,
    usage,
    costUsd: cost,
    toolCalls,
    subagents,
    unknown,
    records,
    events: eventCount,
    head,
    ...rest,
  };
}

/** The last thing that is written: with it the run is finished. What could have found its secrets again is left out. */
export function writeSeal(
  paths: { readonly manifest: string; readonly meta: string },
  manifest: RunManifest,
  seal: Seal,
  prompt: string,
): void {
  const { fingerprints: _, ...secrets } = manifest.secrets;
  const { ended: __, ...rest } = manifest;
  writeAtomically(paths.meta, jsonText(metaOf(manifest, prompt, seal)));
  writeAtomically(paths.manifest, jsonText({ ...rest, secrets, sealed: seal }));
}

/** The sidecar of a session log: what one wants to know before opening it. */
export function metaOf({ id, name, tags, agent, model, cwd, startedAt }: RunManifest, prompt: string, seal?: Seal): object {
  return {
    id,
    name,
    tags,
    agent,
    model: seal?.model ?? model ?? null,
    cwd,
    prompt: clipped(prompt, 200),
    started_at: new Date(startedAt).toISOString(),
    ended_at: seal === undefined ? null : new Date(seal.at).toISOString(),
    status: seal === undefined ? "running" : seal.status,
    reason: seal?.reason ?? null,
    session_id: seal?.sessionId ?? null,
    duration_ms: seal?.durationMs ?? null,
    usage: seal?.usage ?? null,
    total_cost_usd: seal?.costUsd ?? null,
    run: `../runs/${id}`,
  };
}

/** What a file holds. */
export function fileSeal(path: string): FileSeal {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const hash = createHash("sha256");
    const buffer = Buffer.allocUnsafe(256 * 1024);
    let bytes = 0;
    for (let count = readSync(fd, buffer); count > 0; count = readSync(fd, buffer)) {
      hash.update(buffer.subarray(0, count));
      bytes += count;
    }
    return { bytes, sha256: hash.digest("hex") };
  } finally {
    closeSync(fd);
  }
}
