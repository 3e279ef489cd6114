import { budgetOf, type Limits, walk } from "../../../host/workspace/index.ts";
import type { OpenDirectory, WorkspaceFiles } from "../workspace-files.ts";
import { ignoreRules } from "./ignore-rules.ts";

/** Directories that are never searched. */
export const UNLISTED = [".git", "node_modules"];

export interface FoundFile {
  /** From the directory. */
  readonly path: string;
  readonly name: string;
  /** From the workspace's root. */
  readonly place: string;
  readonly at: string | Buffer;
  readonly isFile: boolean;
}

export interface FindOptions {
  readonly ignoresNothing: boolean;
  readonly limits: Partial<Limits>;
  /** Called if the time was up. */
  readonly onLate: () => void;
}

/** Every entry below a directory that no ignore file leaves out, sorted by name. */
export function* filesBelow(
  files: WorkspaceFiles,
  directory: OpenDirectory,
  { ignoresNothing, limits, onLate }: FindOptions,
): Generator<FoundFile> {
  const budget = budgetOf(limits);
  const rules = ignoreRules((path) => files.peek(path));
  const placeOf = (path: string) => [directory.path, path].filter((part) => part !== "" && part !== ".").join("/");
  for (const above of aboveOf(directory.path)) rules.enter(above);
  let hidden: string | undefined; // an ignored directory
  for (const step of walk(directory.at, { ignore: UNLISTED, budget, mayBeLink: true })) {
    if (budget.expired()) return onLate();
    if (step.step === "leave" && step.path === hidden) hidden = undefined;
    if (hidden !== undefined || (step.step !== "enter" && step.step !== "entry")) continue;
    const place = placeOf(step.path);
    if (step.step === "enter") {
      if (step.path !== "" && !ignoresNothing && rules.ignores(place, true)) hidden = step.path;
      else rules.enter(place);
    } else if (ignoresNothing || !rules.ignores(place, false))
      yield { path: step.path, name: step.name, place, at: step.at, isFile: step.type === "file" };
  }
}

function aboveOf(path: string): readonly string[] {
  const names = path === "" || path === "." ? [] : path.split("/");
  return ["", ...names.map((_, index) => names.slice(0, index + 1).join("/"))];
}
