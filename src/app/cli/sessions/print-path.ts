import { dataOfRun, findRun } from "../../../host/recording/format/find-run.ts";
import { sessionPaths } from "../../../host/recording/format/run-paths.ts";
import { write } from "../../terminal/output.ts";
import { ourData } from "../options/open-named-run.ts";

export async function printPath(name: string | undefined, { stream }: { readonly stream?: true }): Promise<void> {
  const data = ourData();
  if (name === undefined) return write(`${stream ? data.sessions : data.runs}\n`);
  const directory = findRun(data, name);
  const { sessions, id } = dataOfRun(directory);
  await write(`${stream ? sessionPaths(sessions, id).stream : directory}\n`);
}
