import { resolve } from "node:path";
import { folded, isExactlyLike, isLike, isObject } from "../../pure/base/index.ts";
import type { CallRule } from "../../pure/events/index.ts";
import { leadsTo, type Way } from "./leads-to.ts";
import { type Aspect, KINDS, type ShownCommand } from "./shown-command.ts";

/** A call that rules judge. */
export interface JudgedCall {
  /** The tool's name, and its kind if it has one. */
  readonly names: readonly string[];
  readonly input: unknown;
  /** The command line, if it runs one. */
  readonly command?: string;
  readonly shown?: ShownCommand;
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
    if (name === "path") return allows ? isWholly(call, glob) : touches([...call.paths, ...(call.shown?.named ?? [])], glob);
    if (name === "command" && call.command !== undefined)
      return allows ? isLike(call.command, glob, { within: true }) : call.shown?.runs(glob) === true;
    const value = isObject(call.input) && Object.hasOwn(call.input, name) ? call.input[name] : undefined;
    return value !== undefined && isLike(typeof value === "string" ? value : JSON.stringify(value), glob);
  });
}

/**
 * Why a rule that denies cannot be decided: the text of the command does not show what it runs, writes or reads. Undefined: it was decided, or the
 * rule is not about commands. `allow` are the rules that allow a command by its text.
 */
export function undecidedBy(rule: CallRule, call: JudgedCall, allow: readonly (string | CallRule)[]): string | undefined {
  const { tool, params = {} } = rule;
  if (call.shown === undefined || !call.names.some((name) => isLike(name, tool))) return undefined;
  if (Object.keys(params).some((name) => name !== "path" && name !== "command")) return undefined;
  const isProgram = params["command"] !== undefined && isAboutPrograms(params["command"]);
  return unshown(call, [...(isProgram ? ["programs" as const] : []), ...("path" in params ? (["places", "reads"] as const) : [])], allow);
}

/** Not the name of a tool (`WebSearch`, `apply_patch`, `mcp__x__*`) or of a kind of calls. */
export function isAboutPrograms(pattern: string): boolean {
  return !(/^(?:[A-Z]\w*\*?|[\w*-]*_[\w*-]*|\*)$/.test(pattern) || KINDS.has(pattern));
}

/** What a command's text does not show and no rule allows, in one sentence with the remedy. */
export function unshown(call: JudgedCall, wanted: readonly Aspect[], allow: readonly (string | CallRule)[]): string | undefined {
  const { command, shown } = call;
  if (command === undefined || shown === undefined || allow.some((rule) => isText(rule, command, call, true))) return undefined;
  for (const what of wanted) {
    const gap = shown
      .gaps(what)
      .find((each) => each.command === undefined || !allow.some((rule) => isText(rule, each.command ?? "", call, false)));
    if (gap !== undefined) return `its text does not show ${ASPECTS[what]} (${gap.reason}); ${remedyFor(gap.command)}`;
  }
  return undefined;
}

const ASPECTS: Readonly<Record<Aspect, string>> = {
  programs: "every program it runs",
  places: "every place it writes",
  reads: "every file it reads",
  contacts: "whether it contacts other machines",
};

function remedyFor(command: string | undefined): string {
  const text = command === undefined || command.length > 60 || command.includes("\n") ? undefined : command;
  return text === undefined ? "allow its exact text, or use a command that shows it" : `allow "${text}" if that is wanted`;
}

/** Whether a rule allows a command by its text. A rule for a tool, or for everything, says nothing about a certain command. */
function isText(rule: string | CallRule, text: string, call: JudgedCall, isLine: boolean): boolean {
  const glob = typeof rule === "string" ? rule : rule.params?.["command"];
  if (glob === undefined || !/[^*?\s]/.test(glob)) return false;
  if (typeof rule !== "string" && !call.names.some((name) => isLike(name, rule.tool))) return false;
  return isLike(text, glob, { within: isLine });
}

/** Everything that the call does is inside. */
function isWholly({ paths, shown }: JudgedCall, glob: string): boolean {
  if (shown === undefined) return isInside(paths, glob);
  return shown.gaps("places").length === 0 && shown.gaps("reads").length === 0 && isInside([...paths, ...shown.named], glob);
}

function isInside(paths: readonly Way[], glob: string): boolean {
  return (
    paths.length > 0 &&
    paths.every((way) => {
      const places = everyName(way);
      return way.isKnown && places?.every((place) => isExactlyLike(place, fromRoot(glob, way.root))) === true;
    })
  );
}

/** A path's places, and every other name of the file there. Undefined: they are not known. */
export function everyName({ places, object }: Way): readonly string[] | undefined {
  const names = object === undefined ? [] : object.names();
  return names && [...places, ...names];
}

function touches(paths: readonly Way[], glob: string): boolean {
  return paths.some((way) => {
    const { places, isKnown, root, object } = way;
    const bare = fromRoot(glob, root);
    if (!isKnown || places.some((place) => isLike(folded(place), folded(bare)))) return true;
    if (object === undefined) return false;
    if (object.isAt(resolve(root ?? "/", bare))) return true;
    return /[*?]/.test(bare) && everyName(way)?.some((place) => isLike(folded(place), folded(bare))) !== false;
  });
}

/** A glob is written like a path: from the root or absolute, maybe with a slash at its end. */
function fromRoot(glob: string, root: string | undefined): string {
  const bare = glob.replace(/^(\.\/)+/, "").replace(/(?<=[^/])\/+$/, "");
  return root !== undefined && bare.startsWith(`${root}/`) ? bare.slice(root.length + 1) : bare;
}
