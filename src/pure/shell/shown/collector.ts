import { isAbsolute } from "../../base/index.ts";
import type { Argument } from "../argument.ts";
import { isKnown } from "./arguments.ts";
import { type Directories, joined } from "./directories.ts";
import type { Extent, Places } from "./effect.ts";

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
export interface ShownPlace extends Extent {
  /** From the command's directory, or absolute; `~/` is the home. */
  readonly path: string;
  readonly writes: boolean;
  /** The shell replaces it by the names that match. */
  readonly isGlob: boolean;
  /** The pattern begins with a wildcard, so that a name may begin with a dash. */
  readonly isBare?: boolean;
  /** What is copied or moved there, with everything in it. */
  readonly from?: string;
  /** The number of the program that uses it. Undefined: it may run more than once, or is not a program. */
  readonly by?: number;
}

/** What a text does not show. */
export interface Gap {
  readonly reason: string;
  /** The one program that does not show it, with its arguments. A rule that allows it closes the gap. */
  readonly command?: string;
}

/** What a command line runs, writes and reads. */
export interface Shown {
  readonly programs: readonly ShownProgram[];
  readonly places: readonly ShownPlace[];
  /** Why its text does not show every program that it runs. */
  readonly hidden: readonly Gap[];
  /** Why its text does not show every place where it writes. */
  readonly elsewhere: readonly Gap[];
  /** Why its text does not show every place where it reads. */
  readonly unread: readonly Gap[];
  /** Why its text does not show whether it contacts other machines. */
  readonly contacts: readonly Gap[];
  /** It contacts another machine: `> /dev/tcp/host/80`, `uvx x`. */
  readonly connects: boolean;
}

export function collector() {
  const programs: ShownProgram[] = [];
  const places: ShownPlace[] = [];
  const gaps = { hidden: [] as Gap[], elsewhere: [] as Gap[], unread: [] as Gap[], contacts: [] as Gap[] };
  let connects = false;
  let current: string | undefined;
  let [count, loops] = [0, 0];
  let by: number | undefined;

  const note = (list: Gap[], reason: string) => void list.push({ reason, ...(current !== undefined && { command: current }) });
  const leaves = (reason: string) => note(gaps.elsewhere, reason);
  const unread = (reason: string) => note(gaps.unread, reason);
  const hides = (reason: string | undefined): void => {
    if (reason !== undefined) note(gaps.hidden, reason);
  };

  function add(
    argument: Argument,
    at: Directories,
    how: Omit<ShownPlace, "path" | "isGlob" | "isBare" | "from" | "by">,
    from?: Argument,
  ): void {
    const lost = how.writes ? leaves : unread;
    const { found } = argument;
    if (found !== undefined && !argument.runs && from === undefined) {
      const { starts, ...extent } = found;
      for (const start of starts) add(start, at, { ...how, tree: true, ...extent });
      return;
    }
    for (const each of from === undefined ? [argument] : [argument, from])
      if (each.variable || each.runs || /[!@+*?]\(/.test(each.splits ? each.value : ""))
        return lost(`${each.text} becomes known only when it runs; write it out`);
    const path = argument.value;
    if (/^\/dev\/(?:tcp|udp)\//.test(path)) connects = true;
    else if (!DEVICES.test(path) && (path !== "-" || how.writes)) located(argument, at, how, from);
  }

  function located(
    argument: Argument,
    at: Directories,
    how: Omit<ShownPlace, "path" | "isGlob" | "isBare" | "from" | "by">,
    from: Argument | undefined,
  ): void {
    const isGlob = argument.splits && /[*?[]/.test(argument.value);
    for (const directory of isAbsolute(argument.value) || argument.home ? [""] : at) {
      if (directory === null) (how.writes ? leaves : unread)(`the directory of ${argument.text} is not known; write the whole path`);
      else
        places.push({
          path: joined(directory, pathOf(argument)),
          isGlob,
          ...(isGlob && GLOBS.test(argument.value) && { isBare: true }),
          ...how,
          ...(by !== undefined && { by }),
          ...(from !== undefined && { from: joined(directory, pathOf(from)) }),
        });
    }
  }

  const placesAt = (at: Directories): Places => ({
    reads: (argument, how = {}) => add(argument, at, { writes: false, ...how }),
    writes: (argument, { from, ...how }) => add(argument, at, { writes: true, ...how }, from),
    elsewhere: leaves,
    unread,
    hides,
    connects: () => {
      connects = true;
    },
  });

  return {
    hides,
    places: placesAt,
    /** What is noted meanwhile is about this program. */
    during(argv: readonly Argument[], work: () => void) {
      const before = [current, by] as const;
      by = loops === 0 ? ++count : undefined;
      current = argv.map((argument) => (isKnown(argument) ? argument.value : "…")).join(" ");
      work();
      [current, by] = before;
    },
    /** What happens meanwhile may happen several times. */
    repeatedly(work: () => void) {
      loops++;
      work();
      loops--;
    },
    /** Whether anything before this may have changed a file. */
    mayChange: () => gaps.hidden.length > 0 || gaps.elsewhere.length > 0 || places.some(({ writes }) => writes),
    contacts: (reason: string) => note(gaps.contacts, reason),
    /** A word of a program that is not known may be a path, or contain one: `--file=.env`. */
    mentions(argument: Argument, at: Directories) {
      const to = placesAt(at);
      const behind = /[=@:](.+)$/s.exec(argument.value)?.[1];
      to.reads(argument);
      if (behind !== undefined) to.reads({ ...argument, value: behind, home: false });
    },
    runs(written: string, name: string, args: readonly Argument[]) {
      const argv = [name, ...args.map((argument) => (isKnown(argument) ? argument.value : argument.text))];
      const pattern = [name, ...args.map((argument) => (isKnown(argument) ? argument.value : ANY))].join(" ");
      programs.push({ argv, pattern, written: [written, ...argv.slice(1)].join(" ") });
    },
    includes: (more: readonly ShownProgram[]) => void programs.push(...more),
    shown: (): Shown => ({
      programs,
      places,
      connects,
      hidden: gaps.hidden,
      elsewhere: [...gaps.hidden, ...gaps.elsewhere],
      unread: [...gaps.hidden, ...gaps.unread],
      contacts: [...gaps.hidden, ...gaps.contacts],
    }),
  };
}

const GLOBS = /^[*?[]/;

/** Reading or writing there touches no file. */
const DEVICES = /^\/dev\/(?:null|zero|full|tty|stdin|stdout|stderr|fd\/[012]|random|urandom)$/;

/** A quoted `~` is a name like any other. */
function pathOf({ value, home }: Argument): string {
  return value.startsWith("~") && !home ? `./${value}` : value;
}
