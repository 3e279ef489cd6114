import { accessSync, constants, statSync } from "node:fs";
import { codeOf, HarnessError } from "../../pure/base/index.ts";

/** The longest argument Linux accepts: 128 KiB including its NUL. */
const LONGEST_ARGUMENT = 131_071;

/** Throws if no program could be started with this directory, these arguments or this environment. */
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
  ELOOP: "cannot be reached: its symbolic links form a loop",
  ENAMETOOLONG: "has a path that is too long",
};

function checkArguments(args: readonly string[]): void {
  for (const arg of args) {
    if (arg.includes("\0"))
      throw new HarnessError("start", "An argument for the agent contains a NUL character; no program can receive one.");
    const bytes = Buffer.byteLength(arg);
    if (bytes <= LONGEST_ARGUMENT) continue;
    throw new HarnessError(
      "start",
      `An argument has ${bytes} bytes; the system allows ${LONGEST_ARGUMENT}. Pass the prompt by stdin or in a file.`,
    );
  }
}

/** Node's own error would repeat the value, which may be a secret. */
function checkEnvironment(env: NodeJS.ProcessEnv): void {
  for (const [name, value] of Object.entries(env)) {
    if (!name.includes("\0") && !value?.includes("\0")) continue;
    throw new HarnessError("start", `The variable ${name.replaceAll("\0", "\\0")} contains a NUL character; no program can receive one.`);
  }
}
