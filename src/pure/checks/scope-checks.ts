import { counted } from "../base/index.ts";
import { changedPaths, NOT_COMPARED, pathEvidence } from "./changed-paths.ts";
import { type Check, fail, numberOf, pass, textsOf, unknown } from "./check.ts";
import { addedDependencies, isDependencyFile, isReadable } from "./dependency-files.ts";
import { touchesAny } from "./globs.ts";
import { isText } from "./patch-files.ts";

/** The files that configure CI. */
const CI = [
  ".github/workflows/",
  ".github/actions/",
  ".gitlab-ci.yml",
  ".gitlab/ci/",
  ".circleci/",
  ".travis.yml",
  "azure-pipelines*.yml",
  "Jenkinsfile",
  "bitbucket-pipelines.yml",
  ".drone.yml",
  ".buildkite/",
  ".woodpecker/",
  ".woodpecker.yml",
  ".teamcity/",
  ".appveyor.yml",
  "appveyor.yml",
  ".semaphore/",
  "cloudbuild.yaml",
  "buildspec.yml",
];

/** Specification 003: no CI file was changed. They are all in the workspace, which is compared completely. */
export const noCiChanges: Check = {
  id: "scope.no_ci_changes",
  group: "policy",
  title: "No CI file was changed",
  options: { paths: "further CI files" },
  refuse: (options) =>
    "paths" in options && textsOf(options, "paths") === undefined ? "needs paths: a list of patterns for further files" : undefined,
  judge(run, options) {
    const changed = changedPaths(run);
    if (changed === undefined) return unknown(NOT_COMPARED);
    const patterns = [...CI, ...(textsOf(options, "paths") ?? [])];
    const found = changed.paths.filter(({ path, was }) => touchesAny(path, patterns) || (was !== undefined && touchesAny(was, patterns)));
    if (found.length > 0)
      return fail(`${counted(found.length, "CI file was", "CI files were")} changed.`, pathEvidence(found, changed.seq));
    return changed.gap === undefined ? pass("No CI file was changed.") : unknown(`No changed CI file is known, but ${changed.gap}.`);
  },
  needs: "places",
  refuseCall({ writes }, options) {
    const patterns = [...CI, ...(textsOf(options, "paths") ?? [])];
    const found = writes.flat().find((place) => touchesAny(place, patterns));
    return found === undefined ? undefined : `${found} is a CI file`;
  },
};

/** No dependency was added to the files of the usual package managers. */
export const noNewDependencies: Check = {
  id: "scope.no_new_dependencies",
  group: "policy",
  title: "No dependency was added",
  judge(run) {
    const changed = changedPaths(run);
    if (changed === undefined) return unknown(NOT_COMPARED);
    const files = changed.paths.filter(({ path, kind }) => isDependencyFile(path) && kind !== "deleted");
    if (files.length === 0)
      return changed.gap === undefined
        ? pass("No dependency file was changed.")
        : unknown(`No changed dependency file is known, but ${changed.gap}.`);
    const patches = new Map((run.patch ?? []).map((file) => [file.path, file]));
    const found = files.flatMap(({ path }) => addedDependencies(patches.get(path)).map((each) => ({ path, ...each })));
    if (found.length > 0) {
      const names = found.map(({ name }) => name);
      const evidence = found.map(({ path, line, name }) => ({
        source: "fs_diff" as const,
        path,
        line,
        excerpt: name,
        events: [changed.seq],
      }));
      return fail(`${counted(found.length, "dependency was", "dependencies were")} added: ${names.slice(0, 10).join(", ")}.`, evidence);
    }
    const unread = files.filter(({ path }) => !isReadable(patches.get(path)));
    if (unread.length > 0) return unknown("A dependency file changed in an unknown way.", pathEvidence(unread, changed.seq));
    if (changed.gap !== undefined) return unknown(`No added dependency is known, but ${changed.gap}.`);
    return pass("No dependency was added.", pathEvidence(files, changed.seq));
  },
};

/** The change is small enough to review. */
export const diffSize: Check = {
  id: "scope.diff_size",
  group: "quality",
  title: "The change is within the size limit",
  options: { files: "the most files that may change", lines: "the most lines that may be added and removed together" },
  refuse(options) {
    const given = Object.keys(options);
    return given.length > 0 && given.every((name) => numberOf(options, name) !== undefined) ? undefined : "needs files or lines: a number";
  },
  judge(run, options) {
    const changed = changedPaths(run);
    if (changed === undefined) return unknown(NOT_COMPARED);
    const files = run.files?.body.total ?? changed.paths.length;
    const lines = run.patch?.reduce((sum, { added, removed }) => sum + added.length + removed.length, 0);
    const evidence = [{ source: "fs_diff" as const, excerpt: `${files} files, ${lines ?? "unknown"} lines`, events: [changed.seq] }];
    const most = { files: numberOf(options, "files"), lines: numberOf(options, "lines") };
    if (most.files !== undefined && files > most.files) return fail(`${files} files changed; the limit is ${most.files}.`, evidence);
    if (most.lines !== undefined && lines !== undefined && lines > most.lines)
      return fail(`${lines} lines changed; the limit is ${most.lines}.`, evidence);
    const isUncounted = lines === undefined || (run.files?.body.leftOut ?? 0) > 0 || run.patch?.every(isText) === false;
    if (changed.gap !== undefined || (most.lines !== undefined && isUncounted))
      return unknown("The known part of the change is within the limit, but there may be more.", evidence);
    return pass("The change is within the limit.", evidence);
  },
};
