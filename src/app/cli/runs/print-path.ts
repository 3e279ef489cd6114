import { dataOfRun, findRun, sessionPaths } from "../../../host/recording/index.ts";
import { write } from "../../terminal/index.ts";
import { ourData } from "../options/index.ts";

export async function printPath(name: string | undefined, { stream }: { readonly stream?: true }): Promise<void> {
  const data = ourData();
  if (name === undefined) return write(`${stream ? data.sessions : data.runs}\n`);
  const directory = findRun(data, name);
  const { sessions, id } = dataOfRun(directory);
  await write(`${stream ? sessionPaths(sessions, id).stream : directory}\n`);
}
