import { clipped, HarnessError } from "../../../pure/base/index.ts";
import type { ExitRecord } from "../../../pure/events/index.ts";
import type { NetworkSum, runSummary } from "../../../pure/pipeline/index.ts";
import { replaceFiles } from "../../files/index.ts";
import { recorded } from "../../sink/index.ts";
import { digestOf, type FileSeal, type RunManifest, type Seal, sealOfFile } from "../format/index.ts";
import { jsonText } from "./run-directory.ts";

/** What the verdict of a run is based on, besides its files. */
export interface Ending {
  readonly exit: ExitRecord;
  readonly summary: ReturnType<ReturnType<typeof runSummary>["summary"]>;
  readonly network?: NetworkSum | undefined;
  readonly eventCount: number;
  readonly records: number;
  readonly head: string;
}

export function sealOf(
  at: number,
  { exit, summary, network, eventCount, records, head }: Ending,
  rest: Pick<Seal, "masked" | "leftovers" | "files" | "truncated" | "repairs">,
): Seal {
  const { status, reason, exitCode, signal, durationMs, sessionId, model, usage, cost, toolCalls, subagents, unknown } = summary;
  const { partialUsage, partialCost } = summary;
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
    ...(partialUsage && { partialUsage }),
    ...(partialCost && { partialCost }),
    toolCalls,
    subagents,
    unknown,
    ...(network && { network }),
    records,
    events: eventCount,
    head,
    ...rest,
  };
}

/** The last write, when everything it seals is safe on disk: it marks the run as finished. Leaves out the fingerprints of the secrets. */
export async function writeSeal(
  paths: { readonly manifest: string; readonly meta: string },
  manifest: RunManifest,
  seal: Seal,
  prompt: string,
  ready: Promise<unknown>,
): Promise<RunManifest> {
  const { fingerprints: _, ...secrets } = manifest.secrets;
  const { ended: __, ...rest } = manifest;
  const sealed = { ...rest, secrets, sealed: seal };
  const meta = { path: paths.meta, text: recorded(metaText(manifest, prompt, seal)) };
  const finished = { ...sealed, digest: digestOf(sealed) };
  await replaceFiles([meta], { path: paths.manifest, text: recorded(jsonText(finished)) }, ready);
  return finished;
}

export function metaText(manifest: RunManifest, prompt: string, seal?: Seal): string {
  return jsonText(metaOf(manifest, prompt, seal));
}

/** The sidecar of a session log: what people want to know before opening it. */
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
    partial_usage: seal?.partialUsage,
    partial_cost: seal?.partialCost,
    run: `../runs/${id}`,
  };
}

/** The seal of a file that must exist. */
export function fileSeal(path: string): FileSeal {
  const seal = sealOfFile(path);
  if (seal === undefined) throw new HarnessError("log", `${path} is missing.`);
  return seal;
}
