import { bundle } from "../../../work/observe/index.ts";
import { say, write } from "../../terminal/index.ts";

export async function bundleRun(name: string, { output }: { readonly output?: string }): Promise<void> {
  const { path } = await bundle(name, { output, onNotice: say });
  await write(`${path}\n`);
}
