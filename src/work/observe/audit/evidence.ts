import { closeSync, fstatSync, lstatSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bytesOf, openToRead } from "../../../host/files/index.ts";
import { PROCESS_FILE, sealOfFile } from "../../../host/recording/index.ts";
import { isObject, type JsonObject, parseObject, spelled, translation, version } from "../../../pure/base/index.ts";
import type { FileRef } from "../../../pure/events/index.ts";

/** A larger file is not parsed. */
const LARGEST = 256 * 1024 * 1024;

/** The files next to the nine events. Links and pipes among them are not followed. */
export interface Evidence {
  readonly metadata: JsonObject;
  /** How the process began and ended, and when each event was known. Empty for an earlier version. */
  readonly process: JsonObject;
  readonly directory: string;
  readonly file: (name: string) => FileRef | undefined;
  readonly text: (name: string, encoding?: "utf8" | "latin1") => string | undefined;
  readonly pieces: (name: string) => Generator<Uint8Array, void>;
}

export function evidenceIn(directory: string): Evidence {
  const files = new Map<string, FileRef | undefined>();
  const text: Evidence["text"] = (name, encoding) => (isFileBelow(directory, name) ? textOf(join(directory, name), encoding) : undefined);
  return {
    directory,
    metadata: parseObject(text("metadata.json") ?? "") ?? {},
    process: parseObject(text(PROCESS_FILE) ?? "") ?? {},
    text,
    file(name) {
      if (!files.has(name)) {
        const seal = isFileBelow(directory, name) ? sealOfFile(join(directory, name)) : undefined;
        files.set(name, seal && { path: name, ...seal });
      }
      return files.get(name);
    },
    *pieces(name) {
      const fd = isFileBelow(directory, name) ? openToRead(join(directory, name)) : undefined;
      if (fd === undefined) return;
      try {
        yield* bytesOf(fd);
      } finally {
        closeSync(fd);
      }
    },
  };
}

/** Whether this version has the same sentences and checks as the one that wrote the metadata. */
export function readsSame(metadata: JsonObject): boolean {
  const recorder = block(metadata, "recorder");
  return recorder["harness"] === version && recorder["translation"] === translation;
}

/** Undefined also for a link, a pipe or a directory in place of the file. */
export function textOf(path: string, encoding: "utf8" | "latin1" = "utf8"): string | undefined {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  const fd = openToRead(path);
  if (fd === undefined) return undefined;
  try {
    return fstatSync(fd).size > LARGEST ? undefined : readFileSync(fd, encoding);
  } finally {
    closeSync(fd);
  }
}

/** Whether a name stays inside the directory, without links on the way, and is a file. */
export function isFileBelow(out: string, name: string): boolean {
  if (!isRelative(name)) return false;
  for (let directory = dirname(name); directory !== "."; directory = dirname(directory)) {
    if (lstatSync(join(out, directory), { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  }
  return lstatSync(join(out, name), { throwIfNoEntry: false })?.isFile() === true;
}

export function isRelative(path: string): boolean {
  return path !== "" && !path.includes("\0") && path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

export function block(of: JsonObject, key: string): JsonObject {
  const value = of[key];
  return isObject(value) ? value : {};
}

export function objects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function artifactsOf(event: JsonObject | undefined): readonly JsonObject[] {
  return objects(block(event ?? {}, "agent_action")["artifacts"]);
}

export function summaryOf(event: JsonObject | undefined): string {
  return spelled(block(event ?? {}, "agent_action")["action_summary"]);
}
