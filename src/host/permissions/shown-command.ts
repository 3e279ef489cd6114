import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { couldBeLike, isLike, partsOf } from "../../pure/base/index.ts";
import { ANY, type Gap, shownBy } from "../../pure/shell/index.ts";
import { leadsTo, type Way } from "./leads-to.ts";
import { isDirectory, onDisk } from "./on-disk.ts";
import { ownChanges, repositoryGap } from "./own-changes.ts";
import { linkedNames } from "./program-links.ts";

/** In a rule, these mean kinds of calls, not the programs of the same name. */
export const KINDS: ReadonlySet<string> = new Set("read write edit search list fetch think delete move execute skill other".split(" "));

/** What a command runs, writes and reads, as far as its text and the disk show. */
export interface ShownCommand {
  /** The line, and every command in it however it is started: `if … then rm x`, `sudo rm x`, `bash -c 'rm x'`, `/bin/rm x`, a link to rm. */
  readonly texts: readonly string[];
  readonly programs: readonly (readonly string[])[];
  /** Whether a program in it matches, or (if possible is enough) could match because an argument is not known. */
  runs(glob: string, isWanted?: "sure" | "possible"): boolean;
  /** Each place that it names, and what is read there. */
  readonly named: readonly Way[];
  /** Each place that it writes. */
  readonly written: readonly Way[];
  /** Places outside the root to which it copies, moves or links what is inside. */
  readonly carried: readonly string[];
  /** Why the text does not show everything of this kind. */
  gaps(what: Aspect): readonly Gap[];
  /** It opens a connection without a program. */
  readonly connects: boolean;
}

/** What a rule may need to know about a command. */
export type Aspect = "programs" | "places" | "reads" | "contacts";

/** `directory` is where the command runs; without a root, places are judged by their spelling. */
export function shownCommand(line: string, root: string | undefined, directory = root): ShownCommand {
  const start = directory ?? "/";
  const isThere = (path: string) => isDirectory(path.startsWith("/") ? path : join(start, path));
  const shown = shownBy(line, { isDirectory: isThere, directory, home: homedir() });
  const linked = linkedPrograms(shown.programs, start);
  const commands = [
    ...shown.programs.flatMap(({ argv, written }) => [argv.join(" "), written]),
    ...linked.map(({ argv }) => argv.join(" ")),
  ];
  const texts = [...new Set([line, ...(commands.length === 0 ? partsOf(line) : commands)])];
  const stores = shown.programs.some(({ argv }) => argv[0] === "git" && argv.some((each) => STORES.has(each)));
  const named = shown.places.filter(({ repository }) => !repository);
  const changes = once(() => (root === undefined ? () => undefined : ownChanges(shown.places, root, start)));
  const settings = once((): readonly Gap[] => {
    const reason = repositoryGap(shown.places, root, start);
    return reason === undefined ? [] : [{ reason }];
  });
  const written = once(() => waysOf(named.filter((place) => place.writes)));
  const read = once(() => waysOf(named.filter((place) => !place.writes)));

  function waysOf(places: typeof shown.places): { readonly ways: readonly Way[]; readonly gaps: readonly Gap[] } {
    const [ways, gaps]: [Way[], Gap[]] = [[], []];
    for (const place of places) {
      const reason = changes()(place);
      if (reason !== undefined) gaps.push({ reason });
      const now = stores ? { ...place, tracked: false } : place;
      const found = root === undefined ? { files: [{ path: place.path, inside: [] }] } : onDisk(now, start);
      if ("reason" in found) gaps.push({ reason: found.reason });
      else for (const { path, inside } of found.files) ways.push(...waysIn(path, inside));
    }
    return { ways, gaps };
  }

  /** A file that the command itself makes and runs, or that does not exist before it: what is in it cannot be judged now. */
  function ownPrograms(): readonly Gap[] {
    const made = new Set(written().ways.flatMap(({ places }) => places.map((place) => resolve(root ?? start, place))));
    const directories = directoriesOf(shown.programs, start);
    const isMade = (file: string) => directories.some((directory) => made.has(resolve(directory, file)));
    const isAlone = shown.programs.filter(({ argv: [name] }) => name !== "cd").length < 2; // nothing else could make it
    const isMissing = (file: string) =>
      !isAlone && root !== undefined && !directories.some((directory) => existsSync(resolve(directory, file)));
    return shown.programs.flatMap(({ argv: [name = "", ...args], written: text }) => {
      const run = nameIn(text, args);
      const path = run.includes("/") ? [run] : SHELLS.test(name) && args[0]?.startsWith("-") === false ? [args[0]] : [];
      const own = [...path, ...(RUNS_FILES.test(name) ? args : [])].find(isMade) ?? path.find(isMissing);
      return own === undefined ? [] : [{ reason: `it runs ${own}, which ${isMade(own) ? "it makes itself" : "does not exist yet"}` }];
    });
  }

  function waysIn(path: string, inside: readonly string[]): readonly Way[] {
    const way = leadsTo(path, root);
    return [way, ...inside.map((each) => ({ ...way, places: way.places.map((at) => (at === "." ? each : join(at, each))) }))];
  }

  return {
    texts,
    programs: shown.programs.map(({ argv }) => argv),
    runs: (glob, isWanted = "possible") =>
      texts.some((text) => isLike(text, glob)) ||
      [...shown.programs, ...linked].some(({ argv: [name = ""] }) => !KINDS.has(glob) && isLike(name, glob)) ||
      (isWanted === "possible" && shown.programs.some(({ pattern }) => couldBeLike(pattern, glob, ANY))),
    get named() {
      return [...written().ways, ...read().ways];
    },
    get written() {
      return written().ways;
    },
    get carried() {
      const takes = (place: (typeof named)[number]) =>
        place.carries === true ||
        (place.from !== undefined && waysOf([{ path: place.from, writes: false, isGlob: false }]).ways.some(isInside));
      return waysOf(named.filter((place) => place.writes && takes(place))).ways.flatMap(({ places }) =>
        places.filter((at) => at.startsWith("/")),
      );
    },
    gaps(what) {
      if (what === "programs") return [...shown.hidden, ...ownPrograms(), ...settings()];
      if (what === "contacts") return [...shown.contacts, ...settings()];
      const own = what === "places" ? [...shown.elsewhere, ...written().gaps] : [...shown.unread, ...read().gaps];
      return [...own, ...settings()];
    },
    connects: shown.connects,
  };
}

function isInside({ places }: Way): boolean {
  return places.some((place) => !place.startsWith("/"));
}

type Program = Pick<ReturnType<typeof shownBy>["programs"][number], "argv" | "written">;

/** The same commands by the names of the files that their programs are links to. */
function linkedPrograms(programs: readonly Program[], start: string): readonly Pick<Program, "argv">[] {
  const directories = directoriesOf(programs, start);
  return programs.flatMap(({ argv, written }) => {
    const [, ...args] = argv;
    return linkedNames(nameIn(written, args), directories).map((each) => ({ argv: [each, ...args] }));
  });
}

const SHELLS = /^(?:\.|source|(?:ba|da|z|k|a|fi)?sh)$/;

/** Programs that run the files which are their arguments. */
const RUNS_FILES = /^(?:\.|source|(?:ba|da|z|k|a|fi)?sh|busybox|python[\d.]*|node|deno|bun|perl|ruby|php)$/;

/** The name of a program as written, without its arguments. */
function nameIn(written: string, args: readonly string[]): string {
  return args.length === 0 ? written : written.slice(0, -args.join(" ").length - 1);
}

const MOST_DIRECTORIES = 32;

/** The directories in which the command may be when it starts a program. */
function directoriesOf(programs: readonly Program[], start: string): readonly string[] {
  const found = new Set([start]);
  for (const { argv } of programs) {
    const [name, to] = argv;
    if (name !== "cd" || to === undefined) continue;
    const before = [...found].slice(0, MOST_DIRECTORIES - found.size);
    for (const from of before) found.add(resolve(from, to));
  }
  return [...found];
}

/** Commands of git after which it tracks more files than now. */
const STORES = new Set(["add", "stage", "commit", "update-index", "mv", "stash", "read-tree", "checkout", "reset", "restore"]);

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
