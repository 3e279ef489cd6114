import { hash } from "node:crypto";
import { closeSync, fstatSync, readFileSync } from "node:fs";
import { HarnessError, isObject, parseJson } from "../../../pure/base/index.ts";
import { openToRead } from "../../files/index.ts";
import { isManifest } from "./is-manifest.ts";
import { MANIFEST_VERSION, type RunManifest } from "./run-manifest.ts";

/** More than a description of `LONGEST_FACT` characters and the seals of a million files need. */
const LARGEST = 256 * 1024 * 1024;

/** Throws one sentence if the file is missing or damaged. Anyone can write the file, so every field is checked against its type. */
export function readManifest(path: string): RunManifest {
  const manifest = manifestIn(path);
  if (manifest !== undefined) return manifest;
  const remedy = "Its raw.jsonl can still be derived with `agent`.";
  throw new HarnessError("input", `${path} is damaged: it does not describe a run. ${remedy}`, { option: "agent" });
}

/** Like `readManifest`, but undefined if the file is damaged. */
export function manifestIn(path: string): RunManifest | undefined {
  const value = jsonOf(path);
  if (isObject(value) && isNewer(value["schemaVersion"])) {
    throw new HarnessError("input", `${path} was written by a newer harness. Open it with that version.`);
  }
  return isManifest(value) ? value : undefined;
}

/** The required `digest` of a sealed run. */
export function digestOf({ digest: _, ...manifest }: RunManifest): string {
  return hash("sha256", JSON.stringify(manifest));
}

function jsonOf(path: string): unknown {
  const fd = openToRead(path);
  if (fd === undefined) throw new HarnessError("input", `Not a run: ${path} does not exist.`);
  try {
    return fstatSync(fd).size > LARGEST ? undefined : parseJson(readFileSync(fd, "utf8"));
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}

function isNewer(version: unknown): boolean {
  return typeof version === "string" && /^\d+\./.test(version) && Number.parseInt(version, 10) > Number.parseInt(MANIFEST_VERSION, 10);
}
