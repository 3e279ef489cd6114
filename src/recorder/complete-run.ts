import { existsSync } from "node:fs";
import type { Agent } from "../core/agent.ts";
import type { Event } from "../core/event.ts";
import { runSummary } from "../core/run-summary.ts";
import type { View } from "../core/view.ts";
import { deriveRun, runInfoOf } from "../derive/derive-run.ts";
import { findFingerprints } from "../store/fingerprints.ts";
import type { FindSecrets } from "../store/masker.ts";
import type { RunManifest, Seal } from "../store/run-manifest.ts";
import type { RunPaths } from "../store/run-paths.ts";
import { activity } from "../views/activity.ts";
import { stream } from "../views/stream.ts";
import { maskFile } from "./mask-file.ts";
import { recoverRecords } from "./recover-records.ts";
import { rewriteView } from "./rewrite-view.ts";
import { fileSeal, sealOf, writeSeal } from "./seal-run.ts";

const nothingToFind: FindSecrets = { longest: 0, find: () => [] };

export interface Unfinished {
  readonly paths: RunPaths;
  readonly session: { readonly stream: string; readonly meta: string };
  readonly manifest: RunManifest;
  readonly agent: Agent;
  readonly leftovers: number | null;
}

/**
 * Finishes what a recorder could not: masks and records what the agent printed last, makes the views anew, and seals. The
 * raw bytes are the truth; what had to be done is written into the seal. The caller holds the lock, and nothing of the run is alive.
 */
export async function completeRun({ paths, session, manifest, agent, leftovers }: Unfinished): Promise<Seal> {
  const { fingerprints } = manifest.secrets;
  const find = fingerprints === undefined ? nothingToFind : findFingerprints(fingerprints);
  const { repairs, masked, exit, seq, head, truncated } = recoverRecords(paths, manifest, find);
  const prompt = existsSync(paths.prompt) ? maskFile(paths.prompt, find) : undefined;
  const run = { ...manifest, sealed: { truncated } as unknown as Seal }; // where to read on behind a truncation
  repairs.push(...(await rewriteView(paths.events, batches(activity))), ...(await rewriteView(session.stream, batches(stream))));
  const { summary, eventCount } = await summarized();
  const files = {
    "raw.jsonl": fileSeal(paths.stdout),
    "stderr.log": fileSeal(paths.stderr),
    ...(prompt === undefined ? {} : { "prompt.txt": prompt.seal }),
    "events.jsonl": fileSeal(paths.events),
    "session.ndjson": fileSeal(session.stream),
  };
  const ending = { exit, summary: summary.summary(), eventCount, records: seq, head };
  const rest = { masked: masked + (prompt?.masked ?? 0), leftovers, files, ...(truncated.length === 0 ? {} : { truncated }), repairs };
  const seal = sealOf(exit.at, ending, rest);
  writeSeal({ manifest: paths.manifest, meta: session.meta }, manifest, seal, runInfoOf(manifest, paths.prompt).prompt ?? "");
  return seal;

  function batches<Out extends object>(view: View<Out>): AsyncIterable<readonly Out[]> {
    return deriveRun(run, paths.directory, agent, view);
  }

  async function summarized() {
    const summary = runSummary();
    let eventCount = 0;
    const events: View<Event> = { id: "events", title: "", open: () => ({ push: (event) => [event], end: () => [] }) };
    for await (const batch of batches(events)) {
      eventCount += batch.length;
      for (const event of batch) summary.see(event);
    }
    return { summary, eventCount };
  }
}
