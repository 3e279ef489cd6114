import { resolve } from "node:path";
import { dataOf, dataOfRun, findRun, sessionPaths } from "../../host/recording/index.ts";
import { HarnessError } from "../../pure/base/index.ts";
import { openedRun, type RecordedOptions } from "./opened-run.ts";
import { writeBundle } from "./write-bundle.ts";

export interface BundleOptions extends RecordedOptions {
  /** The archive; it must not exist yet. Default: `./<run id>.tar`. */
  readonly output?: string | undefined;
}

export interface Bundle {
  readonly path: string;
  readonly files: number;
  readonly bytes: number;
}

/** Writes a finished run (its id, a unique prefix, `last`, or its directory) as one archive that `verify` can check anywhere. */
export async function bundle(run: string, options: BundleOptions = {}): Promise<Bundle> {
  const { manifest, directory, owner } = await openedRun(findRun(dataOf(options), run), options);
  if (owner !== undefined)
    throw new HarnessError("locked", `Process ${owner.pid} is still writing the run ${manifest.id}. Bundle it when it has ended.`);
  const { sessions, id } = dataOfRun(directory);
  const path = resolve(options.output ?? `${manifest.id}.tar`);
  return { path, ...writeBundle({ directory, manifest, session: sessionPaths(sessions, id) }, path) };
}
