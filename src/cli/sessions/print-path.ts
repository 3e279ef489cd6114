import { dataOfRun, findRun } from "../../store/find-run.ts";
import { sessionPaths } from "../../store/run-paths.ts";
import { ourData } from "../open-named-run.ts";
import { write } from "../output.ts";

export async function printPath(name: string | undefined, { stream }: { readonly stream?: true }): Promise<void> {
  const data = ourData();
  if (name === undefined) return write(`${stream ? data.sessions : data.runs}\n`);
  const directory = findRun(data, name);
  const { sessions, id } = dataOfRun(directory);
  await write(`${stream ? sessionPaths(sessions, id).stream : directory}\n`);
}
