import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeAtomically } from "../../../host/files/index.ts";
import { type DataDirectory, ensurePrivate } from "../../../host/recording/index.ts";
import { hideSecretsIn } from "../../../host/secrets/index.ts";
import { json, own } from "../../../host/sink/index.ts";
import { parseObject } from "../../../pure/base/index.ts";
import { type Configuration, differences } from "./configuration.ts";

/** Stores a configuration under its hash, so that a later call can say what has changed. */
export function keepConfiguration(data: DataDirectory, hash: string, configuration: Configuration): void {
  const path = pathOf(data, hash);
  if (!existsSync(path)) writeAtomically(path, own`${json(hideSecretsIn(configuration))}\n`);
}

/** The differences between the stored configuration and this one; empty if it is not stored. */
export function changesSince(data: DataDirectory, hash: string, now: Configuration): readonly string[] {
  if (!/^[0-9a-f]{64}$/.test(hash)) return [];
  try {
    const before = parseObject(readFileSync(pathOf(data, hash), "utf8"));
    return before === undefined ? [] : differences(before, hideSecretsIn(now));
  } catch {
    return []; // from a different machine
  }
}

function pathOf(data: DataDirectory, hash: string): string {
  const folder = join(data.root, "evaluations", "configurations");
  ensurePrivate(folder);
  return join(folder, `${hash}.json`);
}
