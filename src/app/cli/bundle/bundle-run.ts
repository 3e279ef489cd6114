import { bundle } from "../../../work/observe/index.ts";
import { say, write } from "../../terminal/index.ts";

export async function bundleRun(name: string, { output, force }: { readonly output?: string; readonly force?: true }): Promise<void> {
  const { path } = await bundle(name, { output, force, onNotice: say });
  await write(`${path}\n`);
}
