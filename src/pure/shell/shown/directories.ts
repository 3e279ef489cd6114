import { isAbsolute } from "../../base/index.ts";
import type { Argument } from "../argument.ts";
import { isKnown } from "./arguments.ts";

/** The directories in which a command may run: from the start, absolute, or `null` if not known. `""` is the start. */
export type Directories = readonly (string | null)[];

/** Only `cd x` and `pushd x` show where they lead. */
export function changed(name: string, args: readonly Argument[], from: Directories): Directories {
  const operands = args[0]?.value === "--" || args[0]?.value === "-L" ? args.slice(1) : args;
  const [target] = operands;
  if (name === "popd" || target === undefined || operands.length > 1 || !isKnown(target) || target.home || /^[-+]|^$/.test(target.value))
    return [null];
  return both(from.map((one) => (isAbsolute(target.value) ? target.value : one === null ? null : logical(joined(one, target.value)))));
}

export function both(...all: readonly Directories[]): Directories {
  return [...new Set(all.flat())];
}

/** `cd a/..` goes back, also if `a` is a link. */
function logical(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (part !== ".." || !isAbsolute(path)) parts.push(part);
  }
  return `${isAbsolute(path) ? "/" : ""}${parts.join("/")}`;
}

/** Keeps `..`: behind a link it is the parent of the target. */
export function joined(directory: string, path: string): string {
  return directory === "" || isAbsolute(path) || /^~(?:\/|$)/.test(path) ? path : `${directory}/${path}`;
}
