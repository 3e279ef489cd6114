import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Agent } from "../core/agent.ts";
import type { Event } from "../core/event.ts";
import { version } from "../core/version.ts";
import { eventsOfRun, runInfoOf } from "../derive/derive-run.ts";
import { digestOf, type RunManifest, type Seal } from "../store/run-manifest.ts";
import { decisionPath, type RunPaths } from "../store/run-paths.ts";
import { sealOfFile } from "../store/seal-of-file.ts";
import { chainFlaws } from "./chain-flaws.ts";
import { keptViews } from "./kept-views.ts";
import { observedOut } from "./observed-out.ts";
import { metaText } from "./seal-run.ts";
import { viewCheck } from "./view-check.ts";

/** Where a recording is not what it was when it was sealed. */
export interface Flaw {
  readonly file: string;
  /** From 1. */
  readonly line?: number;
  /** The byte at which that line begins. */
  readonly offset?: number;
  readonly problem: string;
}

/**
 * What is wrong with a sealed run, of each file the first place: its files against the seal, its chain, and its views against what its
 * bytes give. `out` is where its observation is, if it is one and has been moved. A run that another version recorded may be read otherwise by this one: its views need only be as they were sealed.
 */
export async function verifyRun(
  manifest: RunManifest,
  paths: RunPaths,
  session: string,
  agent: Agent,
  out: string | undefined = observedOut(manifest),
): Promise<readonly Flaw[]> {
  const { sealed, digest, recorder } = manifest;
  if (sealed === undefined) return [{ file: "run.json", problem: "the run is not sealed" }];
  const flaws: Flaw[] = [];
  if (digest !== digestOf(manifest)) flaws.push({ file: "run.json", problem: "it is not what was sealed" });
  flaws.push(...chainFlaws(paths, sealed));
  for (const [file, path] of [
    ["prompt.txt", paths.prompt] as const,
    ["client.jsonl", paths.client] as const,
    ...evidence(sealed, paths, out),
  ]) {
    const found = sealOfFile(path);
    if (found?.sha256 === sealed.files[file]?.sha256) continue;
    flaws.push({ file, problem: found === undefined ? "it is missing" : "it is not what was sealed" });
  }
  if (sealed.truncated !== undefined)
    flaws.push({ file: "raw.jsonl", problem: "the agent truncated its own output: what was before is lost" });
  const isOurs = recorder.version === version;
  const files = { events: paths.events, session, decision: out && decisionPath(out) };
  const checks = keptViews.flatMap(({ name, file, view }) => {
    const path = files[file];
    return path === undefined ? [] : [viewCheck(path, view, sealed.files[name], isOurs)];
  });
  const viewFlaws = await checked(checks, eventsOfRun(manifest, paths.directory, agent));
  return [...flaws, ...viewFlaws, ...(isOurs ? metaFlaws(manifest, paths, session) : [])];
}

/** The files of an observation that are not views: in the run's own directory, and where the observation is, if it is there. */
function evidence({ files }: Seal, { directory }: RunPaths, out: string | undefined): readonly (readonly [string, string])[] {
  return Object.keys(files).flatMap((file) => {
    if (file === "out/events.jsonl" || !isBelow(file)) return [];
    if (file.startsWith("artifacts/")) return [[file, join(directory, file)] as const];
    return out !== undefined && file.startsWith("out/") ? [[file, join(out, file.slice("out/".length))] as const] : [];
  });
}

/** A seal that somebody else made must not lead us elsewhere. */
function isBelow(file: string): boolean {
  return file.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

async function checked(
  checks: readonly ReturnType<typeof viewCheck>[],
  batches: AsyncIterable<readonly Event[]>,
): Promise<readonly Flaw[]> {
  try {
    for await (const batch of batches) for (const check of checks) check.see(batch);
    return checks.flatMap((check) => check.end());
  } finally {
    for (const check of checks) check.close();
  }
}

/** The sidecar says nothing that run.json does not. */
function metaFlaws(manifest: RunManifest, paths: RunPaths, session: string): readonly Flaw[] {
  const path = session.replace(/ndjson$/, "meta.json");
  const file = basename(path);
  if (!existsSync(path)) return [{ file, problem: "it is missing" }];
  const expected = metaText(manifest, runInfoOf(manifest, paths.prompt).prompt ?? "", manifest.sealed);
  return readFileSync(path, "utf8") === expected ? [] : [{ file, problem: "it is not what run.json gives" }];
}
