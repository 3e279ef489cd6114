import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseDocument } from "yaml";
import { HarnessError, isObject } from "../../../pure/base/index.ts";
import { type ParsedRow, resolved } from "./parsed-row.ts";

const PROMPTS = ["prompt.md", "prompt.txt", "task.md"];

/**
 * One task per folder, whose name is the id: a prompt, and if there are any a `workspace`, an `expected.txt`, a `reference` (a directory, or
 * `reference.txt`), a `setup.sh`, and other fields in `task.yaml` or `task.json`. `checks` is for the grader of that name.
 */
export function taskRows(directory: string): readonly ParsedRow[] {
  const folders = readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map(({ name }) => name)
    .sort();
  if (folders.length === 0) throw new HarnessError("input", `${directory} has no task folders. A task is a folder with a prompt.md.`);
  return folders.map((id, index) => {
    const folder = join(directory, id);
    const inside = (name: string) => (existsSync(join(folder, name)) ? join(folder, name) : undefined);
    const fields = fieldsIn(inside("task.yaml") ?? inside("task.yml") ?? inside("task.json"));
    const prompt = PROMPTS.flatMap((name) => inside(name) ?? [])[0];
    if (prompt === undefined && fields["input"] === undefined)
      throw new HarnessError("input", `${folder}: no prompt. Write it into ${PROMPTS[0]}.`);
    if (fields["id"] !== undefined && fields["id"] !== id)
      throw new HarnessError("input", `${folder}: the id of a task is the name of its folder.`);
    const text = (name: string) => {
      const path = inside(name);
      return path === undefined || !statSync(path).isFile() ? undefined : readFileSync(path, "utf8");
    };
    const isSolved = statSync(join(folder, "reference"), { throwIfNoEntry: false })?.isDirectory() === true;
    const row = {
      input: prompt === undefined ? undefined : readFileSync(prompt, "utf8"),
      expected: text("expected.txt")?.replace(/\n$/, ""),
      reference: isSolved ? `files:${id}/reference` : text("reference.txt"),
      workspace: inside("workspace") === undefined ? undefined : `${id}/workspace`,
      setup: text("setup.sh"),
      ...fields,
      id,
    };
    return { text: JSON.stringify(row), line: index + 1, where: folder };
  });
}

function fieldsIn(path: string | undefined): Record<string, unknown> {
  if (path === undefined) return {};
  const document = parseDocument(readFileSync(path, "utf8"), { prettyErrors: false, logLevel: "error" });
  const value = document.errors.length > 0 ? undefined : resolved(() => document.toJS({ maxAliasCount: 100 }), path);
  if (isObject(value)) return { ...value };
  throw new HarnessError(
    "input",
    `${path}: not an object with fields of a case${document.errors[0] ? `: ${document.errors[0].message}` : ""}.`,
  );
}
