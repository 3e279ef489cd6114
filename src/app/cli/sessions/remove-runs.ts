import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { lockOwner } from "../../../host/files/index.ts";
import { dataOfRun, findOwnRun } from "../../../host/recording/index.ts";
import { errorWords, HarnessError } from "../../../pure/base/index.ts";
import { write } from "../../terminal/index.ts";
import { ourData } from "../options/index.ts";

/** All of them, or none, and their ids are printed: a name that is wrong, or a run that goes on, is told before anything is deleted. */
export async function removeNamed(names: readonly string[]): Promise<void> {
  const directories = [...new Set(names.map((name) => findOwnRun(ourData(), name)))];
  for (const directory of directories) {
    const owner = await lockOwner(directory);
    if (owner === undefined) continue;
    throw new HarnessError(
      "locked",
      `The run ${dataOfRun(directory).id} is being written by process ${owner.pid}${owner.host === null ? "" : ` on ${owner.host}`}; stop it before you delete it.`,
    );
  }
  for (const directory of directories) {
    removeRun(directory);
    await write(`${dataOfRun(directory).id}\n`);
  }
}

export function removeRun(directory: string): void {
  const { sessions, id } = dataOfRun(directory);
  try {
    // What was set aside when the run was repaired lies beside its session log.
    const logs = existsSync(sessions) ? readdirSync(sessions).filter((name) => name.startsWith(`${id}.`)) : [];
    for (const path of [...logs.map((name) => join(sessions, name)), directory]) rmSync(path, { recursive: true, force: true });
  } catch (error) {
    throw new HarnessError("log", `Cannot delete ${directory}: ${errorWords(error)}.`, {
      cause: error,
    });
  }
}
