import type { Argument } from "../argument.ts";
import { namesOf, type Options, optionsOf, type Parsed, parsed } from "./arguments.ts";

/** Which files a place stands for besides itself. */
export interface Extent {
  /** Also everything in it. */
  readonly tree?: boolean;
  /** Only what has such a name in it. */
  readonly named?: string;
  /** Also what is behind links in it. */
  readonly follows?: boolean;
  /** Also what is in folders behind links in it. */
  readonly descends?: boolean;
  /** Only what git tracks. */
  readonly tracked?: boolean;
  /** A name for git, which may also mean what it has stored. */
  readonly stored?: string;
  /** Names that may become links, or become different ones. */
  readonly links?: boolean;
  /** Its names are separated by blanks. */
  readonly split?: boolean;
  /** Not read itself, but this path from the top of the repository around it: `HEAD:src/a.ts`. */
  readonly top?: string;
  /** It gets other files, or what is in them. */
  readonly carries?: boolean;
  /** Not read itself: git looks for its repository there. */
  readonly repository?: boolean;
}

/** What a program does to files. */
export interface Places {
  reads(argument: Argument, how?: Extent): void;
  /** `from`: what is copied or moved there. */
  writes(argument: Argument, how: Extent & { readonly from?: Argument }): void;
  /** It may write at places that its text does not show. */
  elsewhere(reason: string): void;
  /** It may read at places that its text does not show. */
  unread(reason: string): void;
  /** It may run programs, read and write, as far as its text shows. */
  hides(reason: string): void;
  /** It contacts other machines. */
  connects(): void;
}

export type Effect = (args: readonly Argument[], to: Places, name: string) => void;

/** Programs with these options. With any other option, nothing is known about what they do. */
export function known(
  names: string,
  options: string,
  effect: (given: Parsed, to: Places, name: string) => void,
): readonly (readonly [string, Effect])[] {
  const own: Options = optionsOf(`${options} --help --version`);
  return [...namesOf(names)].map((name) => [name, (args, to) => judged(name, parsed(args, own), effect, to)] as const);
}

export function judged(name: string, given: Parsed, effect: (given: Parsed, to: Places, name: string) => void, to: Places): void {
  const { strange } = given;
  if (strange !== undefined) {
    const isText = !strange.variable && !strange.runs && !strange.splits;
    const reason = isText
      ? `what ${name} does with ${strange.value} is not known`
      : `${name} ${strange.text} becomes known only when it runs`;
    if (isText || RUN.has(name)) to.hides(reason);
    else {
      to.elsewhere(reason);
      to.unread(reason);
    }
  }
  for (const text of given.texts) if (text.splits && !/^".*"$/s.test(text.text)) to.reads(text); // `pr -l .e*`: the second match is an operand
  for (const { value, role } of given.files) {
    if (role === "reads") to.reads(value);
    else to.writes(value, {});
  }
  effect(given, to, name);
}

/** They have options with which they run other programs. */
const RUN = namesOf("sort tar zip rg ag find sed awk less man split git");
