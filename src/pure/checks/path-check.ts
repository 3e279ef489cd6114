import { counted } from "../base/index.ts";
import { changedPaths, NOT_COMPARED, pathEvidence } from "./changed-paths.ts";
import { type Check, fail, pass, textsOf, unknown, type Verdict } from "./check.ts";
import type { RunEvidence } from "./evidence.ts";
import { matchesAny } from "./globs.ts";
import { effectEvidence, targetsOf, traced } from "./traced-effects.ts";

/** Only allowed paths were written. Only a complete trace shows writes outside the workspace. */
export const onlyPaths: Check = {
  id: "scope.only_paths",
  group: "policy",
  title: "Nothing outside the given paths was written",
  options: {
    paths: "the paths that may be written",
    outside: "paths outside the workspace that may be written: /tmp/**, ~/.claude/**",
    workspace_only: "true: check only the workspace",
  },
  refuse(options) {
    if (textsOf(options, "paths") === undefined) return "needs paths: a list of patterns that may be written";
    const only = options["workspace_only"];
    if (!["boolean", "undefined"].includes(typeof only)) return "needs workspace_only: true or false";
    if (!("outside" in options)) return undefined;
    if (only === true) return "needs either outside or workspace_only, not both";
    const outside = textsOf(options, "outside");
    return outside?.every((pattern) => /^(?:~?\/|@)/.test(pattern)) === true
      ? undefined
      : "needs outside: a list of patterns that begin with / or ~/";
  },
  judge(run, options) {
    const changed = changedPaths(run);
    if (changed === undefined) return unknown(NOT_COMPARED);
    const allowed = textsOf(options, "paths") ?? [];
    const found = changed.paths.filter(({ path, was, kind }) => {
      const places = kind === "renamed" && was !== undefined ? [path, was] : [path];
      return places.some((place) => !matchesAny(place, allowed));
    });
    if (found.length > 0)
      return fail(`${counted(found.length, "change is", "changes are")} outside ${allowed.join(", ")}.`, pathEvidence(found, changed.seq));
    if (options["workspace_only"] === true)
      return changed.gap === undefined
        ? pass("Nothing outside the given paths was written in the workspace.")
        : unknown(`No other write is known, but ${changed.gap}.`);
    return outsideWorkspace(run, textsOf(options, "outside") ?? [], changed.gap);
  },
  needs: "places",
  refuseCall({ writes, carried }, options) {
    const [inside, outside] = [textsOf(options, "paths") ?? [], textsOf(options, "outside") ?? []];
    const isFree = (place: string) => {
      if (!place.startsWith("/")) return [place, `${place}/`].some((each) => matchesAny(each, inside)); // a folder may be made for its contents
      return options["workspace_only"] === true || matchesAny(place.slice(1), outside);
    };
    const away = options["workspace_only"] === true ? carried[0] : undefined;
    if (away !== undefined) return `it takes files of the workspace to ${away}`;
    const found = writes.flat().find((place) => !isFree(place));
    return found === undefined ? undefined : `${found} is outside ${[...inside, ...outside].join(", ")}`;
  },
};

function outsideWorkspace(run: RunEvidence, outside: readonly string[], gap: string | undefined): Verdict {
  const seen = traced(run);
  if (seen === undefined)
    return gap === undefined
      ? unknown("Nothing outside the given paths was written in the workspace; writes outside the workspace were not observed.")
      : unknown(`No other write is known, but ${gap}.`);
  const { effects, home } = seen;
  const patterns = outside.flatMap((pattern) =>
    pattern.startsWith("~/") ? (home === undefined ? [] : [home + pattern.slice(1)]) : [pattern],
  );
  /** A pattern for the contents of a folder also allows creating the folder. */
  const isFree = ({ target }: { readonly target: string }) =>
    [target, `${target}/`].some((place) => matchesAny(place.replace(/^\//, ""), patterns));
  const others = effects.filter((effect) => effect.kind !== "connection" && !isFree(effect));
  const written = others.filter(({ kind }) => kind === "write");
  if (written.length > 0)
    return fail(
      `${counted(written.length, "path")} outside the workspace ${written.length === 1 ? "was" : "were"} written: ${targetsOf(written)}.`,
      effectEvidence(written, seen),
    );
  if (others.length > 0)
    return unknown(
      `No other write is known, but other processes were contacted, which may have written: ${targetsOf(others)}.`,
      effectEvidence(others, seen),
    );
  const unseen = gap ?? seen.gapFor("files");
  if (unseen !== undefined) return unknown(`No other write is known, but ${unseen}.`);
  return pass("Nothing outside the given paths was written, neither in the workspace nor, according to the trace, outside it.");
}
