import { statSync } from "node:fs";
import { HarnessError } from "../core/errors.ts";

/** Linux takes no longer argument: 128 KiB with its NUL. */
const LONGEST_ARGUMENT = 131_071;

/** What would keep any program from being started like this, told before anything is. */
export function checkStart({ cwd, args }: { readonly cwd: string; readonly args: readonly string[] }): void {
  checkDirectory(cwd);
  checkArguments(args);
}

function checkDirectory(cwd: string): void {
  const stats = statSync(cwd, { throwIfNoEntry: false });
  if (stats === undefined) throw new HarnessError("start", `The working directory ${cwd} does not exist; give another one with --cwd.`);
  if (!stats.isDirectory())
    throw new HarnessError("start", `The working directory ${cwd} is not a directory; give another one with --cwd.`);
}

function checkArguments(args: readonly string[]): void {
  for (const arg of args) {
    if (arg.includes("\0"))
      throw new HarnessError("start", "An argument of the agent holds a NUL character, which no program can be given.");
    const bytes = Buffer.byteLength(arg);
    if (bytes <= LONGEST_ARGUMENT) continue;
    throw new HarnessError(
      "start",
      `An argument of ${bytes} bytes is more than the system passes on (${LONGEST_ARGUMENT}); give the agent its prompt by stdin or in a file.`,
    );
  }
}
