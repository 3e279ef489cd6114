import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { readManifest } from "../../../../../src/host/recording/format/read-manifest.ts";
import type { RunManifest, Seal } from "../../../../../src/host/recording/format/run-manifest.ts";
import { type RunPaths, runPaths, sessionPaths } from "../../../../../src/host/recording/format/run-paths.ts";
import type { Flaw } from "../../../../../src/host/recording/write/flaw.ts";
import { verifyRun } from "../../../../../src/host/recording/write/verify-run.ts";
import { findAgent } from "../../../../../src/pure/agents/find-agent.ts";
import { expectWhole, jsonLines } from "../../../../support/place.ts";

/** The files of a run, in whatever state they are. */
export interface OnDisk {
  readonly paths: RunPaths & { readonly session: string; readonly meta: string };
  readonly manifest: RunManifest;
  readonly raw: string;
  readonly stderr: string;
}

export function onDisk(directory: string): OnDisk {
  const paths = runPaths(directory);
  const manifest = readManifest(paths.manifest);
  const { stream: session, meta } = sessionPaths(join(directory, "../../sessions"), manifest.id);
  return { paths: { ...paths, session, meta }, manifest, raw: textOf(paths.stdout), stderr: textOf(paths.stderr) };
}

/** Empty if there is no such file. */
export function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** What `harness verify` finds, without starting a process. */
export async function flawsOf(directory: string): Promise<readonly Flaw[]> {
  const { paths, manifest } = onDisk(directory);
  return verifyRun(manifest, paths, paths.session, findAgent(manifest.agent));
}

/** Whatever happened before: sealed, complete, numbered without gaps, nothing torn, and its views match its bytes. */
export async function expectSealed(directory: string): Promise<Seal> {
  expect(await flawsOf(directory)).toEqual([]);
  const { paths, manifest } = onDisk(directory);
  expectWhole(jsonLines(textOf(paths.session)));
  const records = jsonLines(textOf(paths.records));
  expect(records.map(({ seq }) => seq)).toEqual(records.map((_, i) => i + 1));
  expect(records.filter(({ type }) => type === "exit")).toHaveLength(1);
  expect(JSON.stringify(manifest)).not.toContain("fingerprints");
  if (manifest.sealed === undefined) throw new Error("not sealed");
  return manifest.sealed;
}

/** What dead processes may have left in a run's directory. */
export function leftovers(directory: string): string[] {
  return readdirSync(directory).filter((name) => /^lock|^\.|tmp-|^reserve$|\.new$|\.masking$/.test(name));
}

/** The files below a directory that contain one of these texts. */
export function filesHolding(root: string, ...texts: readonly string[]): string[] {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.filter((path) => texts.some((text) => readFileSync(path).includes(text)));
}
