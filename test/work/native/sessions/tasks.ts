import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { folder } from "../support.ts";

const HERE = "examples/tasks";

/** A small task of examples/tasks: a workspace, and the files of a solution. */
export interface Task {
  readonly id: string;
  readonly workspace: string;
  /** The changed files: before, if it exists, and after. */
  readonly files: readonly Changed[];
}

export interface Changed {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string;
}

/** The scripted model fills `{{name}}` in, so a task about templates cannot be played. */
export const tasks: readonly Task[] = readFileSync(join(HERE, "cases.jsonl"), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => {
    const { id, workspace, reference } = JSON.parse(line) as { id: string; workspace: string; reference: string };
    const before = filesIn(join(HERE, workspace));
    const after = filesIn(join(HERE, reference.slice("files:".length)));
    return {
      id,
      workspace: join(HERE, workspace),
      files: [...after].map(([path, text]) => ({ path, before: before.get(path), after: text })),
    };
  })
  .filter(({ files }) => !files.some(({ after }) => after.includes("{{")));

/** A copy to work in. */
export function workspaceOf({ workspace }: Task): string {
  const root = folder();
  cpSync(workspace, root, { recursive: true });
  return root;
}

/** What must be on disk in the end: the workspace with the solution, and nothing else. */
export function solved(task: Task): ReadonlyMap<string, string> {
  const files = new Map([...filesIn(task.workspace), ...task.files.map(({ path, after }) => [path, after] as const)]);
  return inOrder(files);
}

export function filesIn(root: string): Map<string, string> {
  const names = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return inOrder(
    new Map(
      names.map(({ parentPath, name }) => [join(parentPath, name).slice(root.length + 1), readFileSync(join(parentPath, name), "utf8")]),
    ),
  );
}

function inOrder(files: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...files].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
