import { isAbsolute, resolvePath } from "../base/index.ts";
import type { Argument } from "./argument.ts";

/**
 * The shell's directory. `undefined`: the unknown place where it started. `null`: lost after a `cd` whose target or outcome is unknown.
 * A relative path is relative to the start.
 */
export type Directory = string | null | undefined;

/** PATH_MAX. Also bounds the work of ten thousand `cd a`. */
const LONGEST_PATH = 4096;

/** The path an argument names: absolute if the directory makes it so, else as written. */
export function locate(argument: Argument, directory: Directory): string {
  return resolveIn(directory, argument.value);
}

/** The directory after `cd`. Assumes success: the rest of the command makes no sense otherwise. */
export function changeDirectory(args: readonly Argument[], directory: Directory): Directory {
  const rest = args.filter((argument, i) => !(/^-[LPe@]+$/.test(argument.value) || (argument.value === "--" && i < args.length - 1)));
  const target = rest[0];
  if (target === undefined || rest.length > 1) return null;
  if (target.runs || target.variable || target.splits || target.value === "-" || target.value.startsWith("~")) return null;
  if (directory === null && !isAbsolute(target.value)) return null;
  const path = resolveIn(directory, target.value);
  return path.length > LONGEST_PATH ? null : path;
}

function resolveIn(directory: Directory, path: string): string {
  if (directory === undefined || directory === null) return resolvePath(path, undefined);
  if (isAbsolute(directory)) return resolvePath(path, directory);
  const asWritten = isAbsolute(path) || path.startsWith("~") || path.startsWith("$");
  return asWritten ? resolvePath(path, undefined) : joinRelative(directory, path);
}

/** `src` and `../a.ts` give `a.ts`. A leading `..` stays, because the names above the start are unknown. */
function joinRelative(base: string, path: string): string {
  const parts: string[] = [];
  for (const part of `${base}/${path}`.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else parts.push(part);
  }
  return parts.join("/") || ".";
}
