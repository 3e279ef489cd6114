import { accessSync, constants, statSync } from "node:fs";
import { codeOf, HarnessError } from "../../pure/base/index.ts";

/** Linux takes no longer argument: 128 KiB with its NUL. */
const LONGEST_ARGUMENT = 131_071;

/** What would keep any program from being started like this, told before anything is. */
export function checkStart({
  cwd,
  args,
  env,
}: {
  readonly cwd: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}): void {
  checkDirectory(cwd);
  checkArguments(args);
  checkEnvironment(env ?? {});
}

function checkDirectory(cwd: string): void {
  const flaw = flawOf(cwd);
  if (flaw !== undefined) throw new HarnessError("start", flaw, { option: "cwd" });
}

function flawOf(cwd: string): string | undefined {
  try {
    const stats = statSync(cwd, { throwIfNoEntry: false });
    if (stats === undefined) return `Working directory not found: ${cwd}.`;
    if (!stats.isDirectory()) return `The working directory ${cwd} is not a directory.`;
    accessSync(cwd, constants.X_OK);
    return undefined;
  } catch (error) {
    const code = codeOf(error);
    return `The working directory ${cwd} ${reasons[code] ?? `cannot be used (${code})`}.`;
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "cannot be entered: permission denied",
  ELOOP: "cannot be reached: its links lead in a circle",
  ENAMETOOLONG: "has a path that is too long",
};

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

/** Node's own complaint would repeat the value, which may be a secret. */
function checkEnvironment(env: NodeJS.ProcessEnv): void {
  for (const [name, value] of Object.entries(env)) {
    if (!name.includes("\0") && !value?.includes("\0")) continue;
    throw new HarnessError("start", `The variable ${name.replaceAll("\0", "\\0")} holds a NUL character, which no program can be given.`);
  }
}
