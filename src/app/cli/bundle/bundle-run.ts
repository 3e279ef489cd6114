import { resolve } from "node:path";
import { dataOfRun, sessionPaths } from "../../../host/recording/index.ts";
import { HarnessError } from "../../../pure/base/index.ts";
import { writeBundle } from "../../../work/observe/index.ts";
import { write } from "../../terminal/index.ts";
import { openNamedRun } from "../options/index.ts";

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
