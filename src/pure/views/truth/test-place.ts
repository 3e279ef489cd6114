import { resolvePath } from "../../base/index.ts";
import type { CommandObservedBody } from "../../events/index.ts";
import { programsIn } from "../../shell/index.ts";
import type { Account } from "./account.ts";
import { isDocument, isOwn } from "./places.ts";

/** Options that name the project whose tests run: `npm --prefix x test`, `make -C x`. */
const ELSEWHERE =
  /^(?:--prefix|-C|--dir|--cwd|--root|--rootDir|--rootdir|--directory|--project-dir|--start-directory|-s|-f|-w|--workspace|--manifest-path|--config|-c|--project)$/;

/** The place and the selection of a test run. */
interface Ran {
  /** From the workspace; undefined: outside it, or not known. */
  readonly place: string | undefined;
  /** The test files or folders that were selected; empty: all. */
  readonly targets: readonly string[];
}

/** Why the observed runs may not be of the workspace's own tests, or only of some of them. */
export function misplaced(claim: string, runs: readonly CommandObservedBody[], account: Account): string | undefined {
  const { files, root } = account;
  const known = files?.body.tests?.files;
  const seen = runs.map((run) => ranAt(run, account, known ?? []));
  const last = seen.at(-1);
  if (root === undefined || last === undefined) return undefined;
  if (runs.at(-1)?.cwd == null) return "the place of the last test run is not known";
  if (last.place === undefined) return "the last test run was outside the workspace";
  if (known === undefined) return last.place === "" ? undefined : `the last test run was in ${last.place}`;
  const covered = new Set(seen.flatMap(({ place, targets }) => (place === undefined ? [] : coveredBy(place, targets, known))));
  if (known.length === 0 || (last.place === "" && last.targets.length === 0)) return undefined;
  const endings = new Set([...covered].map(endingOf));
  const left = known.filter((file) => !covered.has(file) && (covered.size === 0 || endings.has(endingOf(file))));
  const [first] = left;
  if (first === undefined) return undefined;
  const said = last.targets.length > 0 ? last.targets : [last.place];
  if (said.every((path) => claim.includes(path) && (path.length > 2 || claim.includes(`${path}/`)))) return undefined;
  const isOfPart = !/\b(?:all|every|entire|whole|full|suite)\b/i.test(claim) && last.targets.length === 0 && isOwnPart(last.place, account);
  return isOfPart ? undefined : `the test runs seen did not include ${first}`;
}

/** A part of the workspace that was there before, and in which all changes are. */
function isOwnPart(place: string, { files }: Account): boolean {
  const changes = (files?.body.changes ?? []).filter(({ path }) => !isOwn(path) && !isDocument(path));
  return changes.every(
    ({ path, kind }) => path.startsWith(`${place}/`) && !(kind === "added" && /\/package\.json$|\/[\w.]+\.toml$/.test(path)),
  );
}

function coveredBy(place: string, targets: readonly string[], known: readonly string[]): readonly string[] {
  return known.filter((file) => isWithin(file, place) && (targets.length === 0 || targets.some((target) => isWithin(file, target))));
}

function isWithin(file: string, folder: string): boolean {
  return folder === "" || file === folder || file.startsWith(`${folder}/`);
}

function endingOf(path: string): string {
  return /\.(?:[cm]?[jt]sx?)$/.test(path) ? "js" : path.slice(path.lastIndexOf(".") + 1);
}

function ranAt({ argv, cwd }: CommandObservedBody, account: Account, known: readonly string[]): Ran {
  const at = placeIn(cwd ?? "", account);
  const words = programsIn(argv).flatMap((each) => each.slice(1));
  const named = optionIn(words);
  const place =
    named === undefined || cwd === null
      ? at
      : placeIn(resolvePath(named.replace(/\/[\w.-]+\.(?:toml|json|[cm]?[jt]s)$/, ""), cwd), account);
  const targets = words
    .filter((word) => !word.startsWith("-") && word !== named && word !== ".")
    .flatMap((word) => (cwd === null ? [] : (placeIn(resolvePath(word.replace(/::.*$/, "").replace(/\/\.\.\.$/, ""), cwd), account) ?? [])))
    .filter((target) => target !== "" && known.some((file) => isWithin(file, target)));
  return { place, targets };
}

function optionIn(words: readonly string[]): string | undefined {
  for (const [index, word] of words.entries()) {
    const [name = "", value] = word.split(/=(.*)/s);
    if (!ELSEWHERE.test(name)) continue;
    const said = value ?? words[index + 1];
    if (said !== undefined && /[/.]|^[\w-]+$/.test(said)) return said;
  }
  return undefined;
}

function placeIn(path: string, { root = "" }: Account): string | undefined {
  if (path === root) return "";
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : undefined;
}
