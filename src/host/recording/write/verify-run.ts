import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { translation, version } from "../../../pure/base/index.ts";
import type { Event } from "../../../pure/events/index.ts";
import { flawsOf } from "../../../pure/isolation/index.ts";
import type { Agent } from "../../../pure/pipeline/index.ts";
import { isLockName } from "../../files/index.ts";
import { eventsOfRun, runInfoOf } from "../derive/index.ts";
import { digestOf, type RunManifest, type RunPaths, type Seal, sealOfFile } from "../format/index.ts";
import { wireFlaws } from "../wire/index.ts";
import { chainFlaws } from "./chain-flaws.ts";
import type { Flaw } from "./flaw.ts";
import { isOutside, keptPath, keptViewsOf } from "./kept-views.ts";
import { outsideOf } from "./outside.ts";
import { jsonText } from "./run-directory.ts";
import { metaText } from "./seal-run.ts";
import { viewCheck } from "./view-check.ts";

/**
 * The first flaw in each file of a sealed run: its files against the seal, its chain, and its views against its bytes. `out` is the outside
 * directory, if it was moved. A different version may read the run differently, so views recorded by one need only match their seal.
 */
export async function verifyRun(
  manifest: RunManifest,
  paths: RunPaths,
  session: string,
  agent: Agent,
  out: string | undefined = outsideOf(manifest),
): Promise<readonly Flaw[]> {
  const { sealed, digest, recorder } = manifest;
  if (sealed === undefined) return [{ file: "run.json", problem: "the run is not sealed" }];
  const views = keptViewsOf(manifest).flatMap((kept) => {
    const path = keptPath(kept, { directory: paths.directory, session, out });
    return path === undefined ? [] : [{ ...kept, path }];
  });
  const evidence = evidenceOf(sealed, new Set(views.map(({ file }) => file)), paths, out);
  const odd = oddFiles(paths, session, [...evidence, ...views.filter(isOutside).map(({ path }) => [basename(path), path] as const)]);
  if (odd.length > 0) return odd;
  const flaws: Flaw[] = [];
  const isOurs = recorder.version === version;
  if (digest !== digestOf(manifest)) flaws.push({ file: "run.json", problem: "it is not what was sealed" });
  else if (isOurs && readFileSync(paths.manifest, "utf8") !== jsonText(manifest))
    flaws.push({ file: "run.json", problem: "it was reformatted, or has a key twice" }); // with a key twice, other readers may see the other value
  flaws.push(...wallFlaws(manifest));
  flaws.push(...chainFlaws(paths, sealed));
  for (const [file, path] of [["prompt.txt", paths.prompt] as const, ["client.jsonl", paths.client] as const, ...evidence]) {
    const found = sealOfFile(path);
    if (found?.sha256 === sealed.files[file]?.sha256) continue;
    flaws.push({ file, problem: found === undefined ? "it is missing" : "it is not what was sealed" });
  }
  flaws.push(...wireFlaws(paths.wire, sealed.files["wire.jsonl"]), ...strays(paths, sealed));
  // The first version did not seal what a trial keeps.
  if (manifest.evaluated === undefined || evidence.length > 0) flaws.push(...unsealed(paths.artifacts, "artifacts/", sealed.files));
  if (sealed.truncated !== undefined)
    flaws.push({ file: "raw.jsonl", problem: "the agent truncated its own output: what was before is lost" });
  const checks = views.map(({ view, file, path }) => viewCheck(path, view, sealed.files[file], readsAlike(manifest)));
  const viewFlaws = await checked(checks, eventsOfRun(manifest, paths.directory, agent));
  return [...flaws, ...viewFlaws, ...(isOurs ? metaFlaws(manifest, paths, session) : [])];
}

/** Whether this version gives the same records for the same bytes as the one that recorded the run. */
export function readsAlike({ recorder }: RunManifest): boolean {
  return recorder.version === version && (recorder.translation ?? 1) === translation;
}

/** Links, pipes or directories in place of files. None is followed or waited on, so nothing else can be checked. */
function oddFiles({ directory: _, artifacts: __, ...paths }: RunPaths, session: string, more: readonly (readonly [string, string])[]) {
  const named = [...Object.values(paths), session, metaPath(session)].map((path: string) => [basename(path), path] as const);
  return [...named, ...more].flatMap(([file, path]): readonly Flaw[] => {
    const isOdd = lstatSync(path, { throwIfNoEntry: false })?.isFile() === false;
    return isOdd ? [{ file, problem: "it is not a regular file" }] : [];
  });
}

function metaPath(session: string): string {
  return session.replace(/ndjson$/, "meta.json");
}

/** The artifacts, and the outside files that are not views, with their paths if the outside directory exists. */
function evidenceOf(
  { files }: Seal,
  views: ReadonlySet<string>,
  { directory }: RunPaths,
  out: string | undefined,
): readonly (readonly [string, string])[] {
  return Object.keys(files).flatMap((file) => {
    if (views.has(file) || !isBelow(file)) return [];
    if (file.startsWith("artifacts/")) return [[file, join(directory, file)] as const];
    return out !== undefined && file.startsWith("out/") ? [[file, join(out, file.slice("out/".length))] as const] : [];
  });
}

/** What a recorder that is killed after the seal may leave: working files. */
const OWN = /^(reserve|\.stdin|\.contents|\.late|\.nothing)$|\.(masking|new)$|\.tmp-[0-9a-f]+$/;

/** Entries of the run's directory that belong to no run. What a repair set aside is named by the seal; a lock is a socket. */
function strays({ directory, ...paths }: RunPaths, { repairs = [] }: Seal): readonly Flaw[] {
  const known = new Set([...Object.values(paths).map((path: string) => basename(path)), "run.json.sig"]); // a signature covers the seal
  const isNamed = (name: string) => repairs.some((repair) => repair.endsWith(` ${name}`));
  return readdirSync(directory, { withFileTypes: true })
    .filter(
      (entry) => !known.has(entry.name) && !isNamed(entry.name) && !OWN.test(entry.name) && !(isLockName(entry.name) && entry.isSocket()),
    )
    .map(({ name }) => ({ file: name, problem: "it does not belong to the run: it was not sealed" }))
    .sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** Files next to sealed evidence that were never sealed. */
export function unsealed(directory: string, prefix: string, files: Seal["files"]): readonly Flaw[] {
  if (lstatSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(directory)
    .sort()
    .flatMap((name): readonly Flaw[] => {
      const file = `${prefix}${name}`;
      if (Object.hasOwn(files, file)) return [];
      if (Object.keys(files).some((each) => each.startsWith(`${file}/`))) return unsealed(join(directory, name), `${file}/`, files);
      return [{ file, problem: "it was not sealed: it was added later" }];
    });
}

/** A forged seal must not lead us elsewhere. */
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

/** The sidecar contains only what follows from run.json. */
function metaFlaws(manifest: RunManifest, paths: RunPaths, session: string): readonly Flaw[] {
  const path = metaPath(session);
  const file = basename(path);
  if (!existsSync(path)) return [{ file, problem: "it is missing" }];
  const expected = metaText(manifest, runInfoOf(manifest, paths.prompt).prompt ?? "", manifest.sealed);
  return readFileSync(path, "utf8") === expected ? [] : [{ file, problem: "it does not match run.json" }];
}

/** The findings of the probe must fit the level, and the level what was asked for. */
function wallFlaws({ isolation }: RunManifest): readonly Flaw[] {
  if (isolation === undefined) return [];
  const { level, asked = level, verified } = isolation;
  const contradicted = verified || asked !== level ? flawsOf(isolation) : [];
  return contradicted.length === 0
    ? []
    : [{ file: "run.json", problem: `it claims the isolation ${level}, but ${contradicted.join(", ")}` }];
}
