import { folded, isExactlyLike, isLike, isObject } from "../../pure/base/index.ts";
import type { CallRule } from "../../pure/events/index.ts";
import { commandsIn } from "./commands-in.ts";
import { leadsTo, type Way } from "./leads-to.ts";

/** A call that rules judge. */
export interface JudgedCall {
  /** The tool's name, and its kind if it has one. */
  readonly names: readonly string[];
  readonly input: unknown;
  /** The command line, if it runs one. */
  readonly command?: string;
  /** Each path that it names, with the places it leads to. */
  readonly paths: readonly Way[];
}

export function waysOf(paths: readonly string[], root: string | undefined): readonly Way[] {
  return paths.map((path) => leadsTo(path, root));
}

/**
 * A rule that allows must cover all of a call: its one command, and every place that every path leads to, by its exact name. A rule that
 * denies is about a call if it is about any part of it, in any spelling. A parameter that the call does not have matches nothing.
 */
export function isAbout(rule: string | CallRule, call: JudgedCall, allows: boolean): boolean {
  const { tool, params = {} } = typeof rule === "string" ? { tool: rule } : rule;
  if (!call.names.some((name) => isLike(name, tool))) return false;
  return Object.entries(params).every(([name, glob]) => {
    if (name === "path") return allows ? isInside(call.paths, glob) : touches(call.paths, glob);
    if (name === "command" && call.command !== undefined)
      return allows ? isLike(call.command, glob, { within: true }) : runs(call.command, glob);
    const value = isObject(call.input) && Object.hasOwn(call.input, name) ? call.input[name] : undefined;
    return value !== undefined && isLike(typeof value === "string" ? value : JSON.stringify(value), glob);
  });
}

function isInside(paths: readonly Way[], glob: string): boolean {
  return (
    paths.length > 0 &&
    paths.every(({ places, isKnown, root }) => isKnown && places.every((place) => isExactlyLike(place, fromRoot(glob, root))))
  );
}

function touches(paths: readonly Way[], glob: string): boolean {
  return paths.some(({ places, isKnown, root }) => !isKnown || places.some((place) => isLike(folded(place), folded(fromRoot(glob, root)))));
}

/** A glob is written like a path: from the root or absolute, maybe with a slash at its end. */
function fromRoot(glob: string, root: string | undefined): string {
  const bare = glob.replace(/^(\.\/)+/, "").replace(/(?<=[^/])\/+$/, "");
  return root !== undefined && bare.startsWith(`${root}/`) ? bare.slice(root.length + 1) : bare;
}

function runs(command: string, glob: string): boolean {
  return commandsIn(command).some((part) => isLike(part, glob));
}
