import { existsSync, renameSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { dataOf, dataOfRun, findRun, sessionPaths } from "../../host/recording/index.ts";
import { HarnessError } from "../../pure/base/index.ts";
import { openedRun, type RecordedOptions, runOf } from "./opened-run.ts";
import { isBundle, writeBundle } from "./write-bundle.ts";

export interface BundleOptions extends RecordedOptions {
  /** The archive. Default: `./<run id>.tar`. */
  readonly output?: string | undefined;
  /** Overwrite an existing file. */
  readonly force?: boolean | undefined;
}

export interface Bundle {
  readonly path: string;
  readonly files: number;
  readonly bytes: number;
}

/**
 * Writes a finished run as one archive that `verify` can check anywhere. Name it by its id, a unique prefix, `last`, its directory, the
 * directory of its observation, or the `events.jsonl` in there.
 */
export async function bundle(run: string, options: BundleOptions = {}): Promise<Bundle> {
  if (statSync(run, { throwIfNoEntry: false })?.isFile() && isBundle(run))
    throw new HarnessError("usage", `${run} already is a bundle. Check it with verify.`, { option: "run" });
  const { manifest, directory, owner } = await openedRun(findRun(dataOf(options), runOf(run)), options);
  if (owner !== undefined)
    throw new HarnessError("locked", `Process ${owner.pid} is still writing the run ${manifest.id}. Bundle it when it has ended.`);
  const { sessions, id } = dataOfRun(directory);
  const path = resolve(options.output ?? `${manifest.id}.tar`);
  if (existsSync(path) && options.force !== true)
    throw new HarnessError("usage", `${path} exists. Pass \`force\` to overwrite it.`, { option: "output" });
  const written = writeBundle({ directory, manifest, session: sessionPaths(sessions, id) }, `${path}.part`);
  renameSync(`${path}.part`, path);
  return { path, ...written };
}
