import { join } from "node:path";
import { couldBeLike, isLike, partsOf } from "../../pure/base/index.ts";
import { ANY, type Gap, shownBy } from "../../pure/shell/index.ts";
import { leadsTo, type Way } from "./leads-to.ts";
import { isDirectory, onDisk } from "./on-disk.ts";

/** In a rule, these mean kinds of calls, not the programs of the same name. */
export const KINDS: ReadonlySet<string> = new Set("read write edit search list fetch think delete move execute skill other".split(" "));

/** What a command runs and writes, as far as its text and the disk show. */
export interface ShownCommand {
  /** The line, and every command in it however it is started: `if … then rm x`, `sudo rm x`, `bash -c 'rm x'`, `/bin/rm x`. */
  readonly texts: readonly string[];
  readonly programs: readonly (readonly string[])[];
  /** Whether a program in it matches, or (if possible is enough) could match because an argument is not known. */
  runs(glob: string, isWanted?: "sure" | "possible"): boolean;
  /** Each place that it names. */
  readonly named: readonly Way[];
  /** Each place that it writes. */
  readonly written: readonly Way[];
  /** Why the text does not show every program, or every place that is written. */
  readonly hidden: readonly Gap[];
  readonly elsewhere: readonly Gap[];
  /** It opens a connection without a program. */
  readonly connects: boolean;
}

/** `directory` is where the command runs; without a root, places are judged by their spelling. */
export function shownCommand(line: string, root: string | undefined, directory = root): ShownCommand {
  const start = directory ?? "/";
  const shown = shownBy(line, (path) => isDirectory(path.startsWith("/") ? path : join(start, path)));
  const commands = shown.programs.flatMap(({ argv, written }) => [argv.join(" "), written]);
  const texts = [...new Set([line, ...(commands.length === 0 ? partsOf(line) : commands)])];
  const elsewhere = [...shown.elsewhere];
  const [named, written]: [Way[], Way[]] = [[], []];
  for (const place of shown.places) {
    const found = root === undefined ? [{ path: place.path, inside: [] }] : onDisk(place, start);
    if (found === undefined) elsewhere.push({ reason: `${place.path} has too many files` });
    for (const { path, inside } of found ?? []) {
      const way = leadsTo(path, root);
      const all = [way, ...inside.map((each) => ({ ...way, places: way.places.map((at) => (at === "." ? each : join(at, each))) }))];
      named.push(...all);
      if (place.writes) written.push(...all);
    }
  }
  return {
    texts,
    programs: shown.programs.map(({ argv }) => argv),
    runs: (glob, isWanted = "possible") =>
      texts.some((text) => isLike(text, glob)) ||
      shown.programs.some(({ argv: [name = ""] }) => !KINDS.has(glob) && isLike(name, glob)) ||
      (isWanted === "possible" && shown.programs.some(({ pattern }) => couldBeLike(pattern, glob, ANY))),
    named,
    written,
    hidden: shown.hidden,
    elsewhere,
    connects: shown.connects,
  };
}
