import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filesIn, importsOf, ROOT } from "../../project/imports.ts";

/** How the folders of this room build on each other, and what the command line takes from it. */

const ROOM = "src/work/evaluate/";

/** Read from top to bottom, no folder opens one that stands below it. */
const opens: Readonly<Record<string, readonly string[]>> = {
  adapter: [],
  cases: [],
  trial: ["cases"],
  graders: ["trial"],
  results: ["cases", "trial"],
  running: ["cases", "graders", "trial"], // runs one trial
  scheduling: ["results", "trial"], // knows specs and results, and nothing of how a trial is run
  compare: ["results", "trial"],
  prefer: ["cases", "compare", "graders", "results", "running", "trial"],
  reports: ["compare", "prefer"],
};

const folderOf = (file: string) => (file.startsWith(ROOM) ? file.slice(ROOM.length).split("/").slice(0, -1).join("/") : "");

test("the folders open exactly those above them", () => {
  const used: Record<string, string[]> = Object.fromEntries(Object.keys(opens).map((folder) => [folder, []]));
  for (const { file, target } of filesIn(ROOM.slice(0, -1)).flatMap((file) => importsOf(file))) {
    const [from, to] = [folderOf(file), folderOf(target)];
    if (from === "" || from === to || !target.startsWith(ROOM)) continue;
    if (!used[from]?.includes(to)) used[from]?.push(to);
  }
  for (const folders of Object.values(used)) folders.sort();
  expect(used).toEqual(opens);
  const order = Object.keys(opens);
  for (const [folder, below] of Object.entries(opens))
    for (const other of below) expect(order.indexOf(other)).toBeLessThan(order.indexOf(folder));
});

test("the command line uses what the package exports, and nothing deeper", () => {
  const names = namesIn(readFileSync(join(ROOT, "src/evaluate.ts"), "utf8"), "./work/evaluate/index.ts");
  const exported = new Set([...names, "evaluationSchemas"]); // which the package has as files
  expect(names.size).toBeGreaterThan(50);
  const used = filesIn("src/app/cli").flatMap((file) => [...namesIn(readFileSync(join(ROOT, file), "utf8"), "work/evaluate/index.ts")]);
  expect(used.length).toBeGreaterThan(20);
  expect(used.filter((name) => !exported.has(name))).toEqual([]);
});

/** What a file imports from, or exports of, the module whose path ends so. */
function namesIn(text: string, path: string): ReadonlySet<string> {
  const lists = [...text.matchAll(/(?:import|export)( type)? \{([^}]*)\} from "([^"]+)"/g)].filter(([, , , from]) => from?.endsWith(path));
  return new Set(lists.flatMap(([, , names = ""]) => names.split(",").map((name) => name.replace("type ", "").trim())).filter(Boolean));
}
