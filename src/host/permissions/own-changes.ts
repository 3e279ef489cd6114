import { basename, dirname, resolve } from "node:path";
import type { ShownPlace } from "../../pure/shell/index.ts";
import { leadsTo } from "./leads-to.ts";
import { BLANK, hasLinks, strangeRepository } from "./on-disk.ts";

/** A name that means something else after a part of the command. */
interface Made {
  readonly path: string;
  readonly by: number | undefined;
}

/**
 * Why a place may be another one when the command gets there: an earlier part of the same command can make a link on the way, or a name
 * that a later part takes for an option or for two names. The disk as it is now says nothing about that.
 */
export function ownChanges(places: readonly ShownPlace[], root: string, directory: string): (place: ShownPlace) => string | undefined {
  const written = places.filter(({ writes }) => writes);
  const made = places.length < 2 ? [] : written.filter((place) => makesLinks(place, directory)).flatMap((place) => madeBy(place));
  const names = written.flatMap(({ path, from }) => [basename(path), ...(from === undefined ? [] : [basename(from)])]);
  const hasDash = names.some((name) => name.startsWith("-"));
  const hasBlank = names.some((name) => BLANK.test(name));

  function madeBy({ path, by }: ShownPlace): readonly Made[] {
    const bare = absolute(path, directory).replace(/(?<=.)\/+$/, "");
    const base = beforeGlob(bare);
    return [{ path: /^\.\.?$/.test(basename(base)) ? end(base, root) : resolve(end(dirname(base), root), basename(base)), by }];
  }

  function meets(path: string, isWide: boolean, { path: name }: Made): boolean {
    const start = absolute(path, directory);
    const through = leadsTo(start, root).through ?? [];
    const base = isWide ? end(beforeGlob(start), root) : undefined;
    return through.some((each) => isIn(each, name)) || (base !== undefined && isIn(name, base));
  }

  return (place) => {
    const isWide = place.isGlob || place.tree === true || place.from !== undefined;
    const others = made.filter(({ by }) => by === undefined || by !== place.by);
    const met = others.find((each) => meets(place.path, isWide, each) || (place.from !== undefined && meets(place.from, true, each)));
    if (met !== undefined) return `${place.path} may lead through a link that the same command makes; make it in a separate command`;
    if (place.isBare && hasDash) return `${place.path} may match a name that begins with a dash; write ./${place.path}`;
    return place.split && hasBlank ? "xargs takes a name with blanks for several; use find -print0 and xargs -0" : undefined;
  };
}

/** Why git may run programs that settings of the agent name: in a repository inside the workspace, or one that the command makes. */
export function repositoryGap(places: readonly ShownPlace[], root: string | undefined, directory: string): string | undefined {
  const settings = places.find(({ writes, path, from }) => writes && (SETTINGS.test(path) || SETTINGS.test(from ?? "")));
  if (settings !== undefined) return `git runs what ${settings.path} says`;
  const here = places.filter(({ repository }) => repository);
  if (root === undefined || here.length === 0) return undefined;
  const strange = here.map((place) => strangeRepository(place, directory, root)).find((found) => found !== undefined);
  if (strange !== undefined) return `git runs what the settings of ${strange} say`;
  const isMade = places.some(({ writes, path, from }) => writes && (isHead(path) || (from !== undefined && isHead(from))));
  const moves = ownChanges(places, root, directory);
  return isMade || here.some((place) => moves(place) !== undefined) ? "git may run in a repository that the same command makes" : undefined;
}

const SETTINGS = /(?:^|\/)\.git(?:\/|$)/i;

function isHead(path: string): boolean {
  return basename(path) === "HEAD";
}

function makesLinks({ links, from }: ShownPlace, directory: string): boolean {
  return links === true || (from !== undefined && hasLinks(from, directory));
}

function absolute(path: string, directory: string): string {
  return path.startsWith("/") ? path : `${directory}/${path}`;
}

function beforeGlob(path: string): string {
  const parts = path.split("/");
  const first = parts.findIndex((part) => /[*?[]/.test(part));
  return first === -1 ? path : parts.slice(0, first).join("/") || "/";
}

/** The end of a path, behind all links. */
function end(path: string, root: string): string {
  return leadsTo(path, root).through?.at(-1) ?? "/";
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}
