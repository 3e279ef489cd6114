import { isAbsolute } from "../../base/index.ts";
import type { Argument } from "../argument.ts";
import { isKnown } from "./arguments.ts";
import { type Directories, joined } from "./directories.ts";
import type { Places } from "./effect.ts";

/** Stands for any text in a pattern. No argument contains it. */
export const ANY = "\0";

/** A program that a command can run. */
export interface ShownProgram {
  /** Its bare name and its arguments, as written if they are not known. */
  readonly argv: readonly string[];
  /** The same as one text, with `ANY` in the place of what is not known. */
  readonly pattern: string;
  /** As written: `/bin/rm x`. */
  readonly written: string;
}

/** A place that a command names. */
export interface ShownPlace {
  /** From the command's directory, or absolute; `~/` is the home. */
  readonly path: string;
  readonly writes: boolean;
  /** The shell replaces it by the names that match. */
  readonly isGlob: boolean;
  /** Also everything in it. */
  readonly tree?: boolean;
  /** Only what has such a name in it. */
  readonly named?: string;
  /** What is copied or moved there, with everything in it. */
  readonly from?: string;
}

/** What a text does not show. */
export interface Gap {
  readonly reason: string;
  /** The one program that does not show it, with its arguments. A rule that allows it closes the gap. */
  readonly command?: string;
}

/** What a command line runs and writes. */
export interface Shown {
  readonly programs: readonly ShownProgram[];
  readonly places: readonly ShownPlace[];
  /** Why its text does not show every program that it runs. */
  readonly hidden: readonly Gap[];
  /** Why its text does not show every place where it writes. */
  readonly elsewhere: readonly Gap[];
  /** It opens a connection by a redirection: `> /dev/tcp/host/80`. */
  readonly connects: boolean;
}

export function collector() {
  const programs: ShownProgram[] = [];
  const places: ShownPlace[] = [];
  const hidden: Gap[] = [];
  const elsewhere: Gap[] = [];
  let connects = false;
  let current: string | undefined;

  function add(argument: Argument, at: Directories, how: Omit<ShownPlace, "path" | "isGlob">, from?: Argument): void {
    if (argument.variable || argument.runs || /[!@+*?]\(/.test(argument.splits ? argument.value : "")) {
      if (how.writes) leaves(`${argument.text} becomes known only when it runs`);
      return;
    }
    for (const path of listed(argument)) {
      if (path === undefined) leaves(`${argument.text} is not one path`);
      else if (/^\/dev\/(?:tcp|udp)\//.test(path)) connects = true;
      else if (!DEVICES.test(path)) located(path, argument, at, how, from);
    }
  }

  function located(
    path: string,
    argument: Argument,
    at: Directories,
    how: Omit<ShownPlace, "path" | "isGlob">,
    from: Argument | undefined,
  ): void {
    const isGlob = argument.splits && /[*?[]/.test(path);
    const isFree = isAbsolute(path) || path.startsWith("~");
    if (from?.variable || from?.runs) leaves(`${from.text} becomes known only when it runs`);
    for (const directory of isFree ? [""] : at) {
      if (directory === null) {
        if (how.writes) leaves(`the directory of ${argument.text} is not known`);
      } else
        places.push({ path: joined(directory, path), isGlob, ...how, ...(from !== undefined && { from: joined(directory, from.value) }) });
    }
  }

  const gap = (reason: string): Gap => ({ reason, ...(current !== undefined && { command: current }) });
  const hides = (reason: string | undefined): void => {
    if (reason !== undefined) hidden.push(gap(reason));
  };
  const reads = (argument: Argument, at: Directories) => add(argument, at, { writes: false });
  const writes = (argument: Argument, at: Directories, { from, ...how }: Parameters<Places["writes"]>[1]) =>
    add(argument, at, { writes: true, ...how }, from);
  function leaves(reason: string): void {
    elsewhere.push(gap(reason));
  }

  return {
    hides,
    reads,
    writes,
    elsewhere: leaves,
    /** What is noted meanwhile is about this program. */
    during(argv: readonly Argument[], note: () => void) {
      const before = current;
      current = argv.map((argument) => (isKnown(argument) ? argument.value : "…")).join(" ");
      note();
      current = before;
    },
    /** A word of a program that is not known may be a path, or contain one: `--file=.env`. */
    mentions(argument: Argument, at: Directories) {
      reads(argument, at);
      const behind = /[=@:](.+)$/s.exec(argument.value)?.[1];
      if (behind !== undefined) reads({ ...argument, value: behind }, at);
    },
    runs(written: string, name: string, args: readonly Argument[]) {
      const argv = [name, ...args.map((argument) => (isKnown(argument) ? argument.value : argument.text))];
      const pattern = [name, ...args.map((argument) => (isKnown(argument) ? argument.value : ANY))].join(" ");
      programs.push({ argv, pattern, written: [written, ...argv.slice(1)].join(" ") });
    },
    includes: (more: readonly ShownProgram[]) => void programs.push(...more),
    places: (at: Directories): Places => ({
      reads: (argument) => reads(argument, at),
      writes: (argument, how) => writes(argument, at, how),
      elsewhere: leaves,
    }),
    shown: (): Shown => ({
      programs,
      places,
      connects,
      hidden,
      elsewhere: [...hidden, ...elsewhere],
    }),
  };
}

/** Writing there changes no file. */
const DEVICES = /^\/dev\/(?:null|zero|full|tty|stdin|stdout|stderr|fd\/[012]|random|urandom)$/;

/** The names in `a{b,c}`; undefined for a list that is not written out. */
function listed({ value, splits }: Argument, depth = 0): readonly (string | undefined)[] {
  const found = splits ? /^(.*?)\{([^{}]*)\}(.*)$/s.exec(value) : null;
  if (found === null) return [value];
  const [, before = "", list = "", after = ""] = found;
  if (!list.includes(",") || depth > 4) return [undefined];
  return list.split(",").flatMap((each) => listed({ value: `${before}${each}${after}`, splits } as Argument, depth + 1));
}
