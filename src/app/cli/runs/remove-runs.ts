import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { lockOwner } from "../../../host/files/index.ts";
import { type DataDirectory, dataOfRun, findOwnRuns, sessionPaths } from "../../../host/recording/index.ts";
import { errorWords, HarnessError } from "../../../pure/base/index.ts";
import { write } from "../../terminal/index.ts";
import { ourData } from "../options/index.ts";

/** Deletes all of the runs or none: a wrong name or a live run is reported before anything is deleted. */
export async function removeRuns(names: readonly string[]): Promise<void> {
  const directories = findOwnRuns(ourData(), names);
  for (const directory of directories) {
    const owner = await lockOwner(directory);
    if (owner === undefined) continue;
    throw new HarnessError(
      "locked",
      `The run ${dataOfRun(directory).id} is being written by process ${owner.pid}${owner.host === null ? "" : ` on ${owner.host}`}. Stop it before you delete the run.`,
    );
  }
  const remove = runRemover(ourData());
  for (const directory of directories) {
    remove(directory);
    await write(`${dataOfRun(directory).id}\n`);
  }
}

/** Deletes runs with their session logs. The folder of all logs is listed only once. */
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

/** The session logs by run id, with the torn parts that a repair set aside. */
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
