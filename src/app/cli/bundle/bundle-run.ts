import { resolve } from "node:path";
import { dataOfRun } from "../../../host/recording/format/find-run.ts";
import { sessionPaths } from "../../../host/recording/format/run-paths.ts";
import { HarnessError } from "../../../pure/base/errors.ts";
import { writeBundle } from "../../../work/observe/bundle.ts";
import { write } from "../../terminal/output.ts";
import { openNamedRun } from "../options/open-named-run.ts";

/** Writes a run as one archive, and says where. */
export async function bundleRun(name: string, { output }: { readonly output?: string }): Promise<void> {
  const { manifest, directory, owner } = await openNamedRun(name);
  if (owner !== undefined)
    throw new HarnessError("locked", `The run ${manifest.id} is being written by process ${owner.pid}; bundle it when it has ended.`);
  const { sessions, id } = dataOfRun(directory);
  const to = resolve(output ?? `${manifest.id}.tar`);
  writeBundle({ directory, manifest, session: sessionPaths(sessions, id) }, to);
  await write(`${to}\n`);
}
