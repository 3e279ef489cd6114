import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { lockOwner } from "../../../host/files/index.ts";
import { type DataDirectory, dataOfRun, findOwnRuns, sessionPaths } from "../../../host/recording/index.ts";
import { errorWords, HarnessError } from "../../../pure/base/index.ts";
import { write } from "../../terminal/index.ts";
import { ourData } from "../options/index.ts";

/** All of them, or none, and their ids are printed: a name that is wrong, or a run that goes on, is told before anything is deleted. */
export async function removeRuns(names: readonly string[]): Promise<void> {
  const directories = findOwnRuns(ourData(), names);
  for (const directory of directories) {
    const owner = await lockOwner(directory);
    if (owner === undefined) continue;
    throw new HarnessError(
      "locked",
      `The run ${dataOfRun(directory).id} is being written by process ${owner.pid}${owner.host === null ? "" : ` on ${owner.host}`}; stop it before you delete it.`,
    );
  }
  const remove = runRemover(ourData());
  for (const directory of directories) {
    remove(directory);
    await write(`${dataOfRun(directory).id}\n`);
  }
}

/** Deletes runs with their logs. The folder that holds the logs of all runs is listed once, before the first. */
export function runRemover({ sessions }: DataDirectory): (directory: string) => void {
  let logs: ReadonlyMap<string, readonly string[]> | undefined;
  return (directory) => {
    const { id } = dataOfRun(directory);
    try {
      logs ??= logsIn(sessions);
      const { stream, meta } = sessionPaths(sessions, id);
      for (const path of [...(logs.get(id) ?? []), stream, meta, directory]) rmSync(path, { recursive: true, force: true });
    } catch (error) {
      throw new HarnessError("log", `Cannot delete ${directory}: ${errorWords(error)}.`, { cause: error });
    }
  };
}

/** By the id of their run: its session log, and what was set aside beside it when the run was repaired. */
function logsIn(sessions: string): ReadonlyMap<string, readonly string[]> {
  const logs = new Map<string, string[]>();
  for (const name of existsSync(sessions) ? readdirSync(sessions) : []) {
    const id = name.split(".", 1)[0] ?? "";
    const known = logs.get(id);
    if (known === undefined) logs.set(id, [join(sessions, name)]);
    else known.push(join(sessions, name));
  }
  return logs;
}
