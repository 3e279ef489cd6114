import { resolve } from "node:path";
import { HarnessError } from "../../core/errors.ts";
import { writeBundle } from "../../observe/bundle.ts";
import { dataOfRun } from "../../store/find-run.ts";
import { sessionPaths } from "../../store/run-paths.ts";
import { openNamedRun } from "../open-named-run.ts";
import { write } from "../output.ts";

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
