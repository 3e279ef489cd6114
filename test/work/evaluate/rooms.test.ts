import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filesIn, importsOf, ROOT } from "../../project/imports.ts";

/** How the folders of this room depend on each other, and what the command line uses. */

const ROOM = "src/work/evaluate/";

/** In this order, no folder imports one below it. */
const opens: Readonly<Record<string, readonly string[]>> = {
  adapter: [],
  cases: [],
  trial: ["cases"],
  graders: ["cases", "trial"],
  results: ["cases", "trial"],
  running: ["cases", "graders", "results", "trial"], // runs one trial, or grades it again
  scheduling: ["results", "trial"], // knows specs and results, not how a trial runs
  compare: ["results", "trial"],
  prefer: ["cases", "compare", "graders", "results", "running", "scheduling", "trial"],
  trend: ["compare", "trial"],
  reports: ["compare", "prefer", "results", "running", "trend", "trial"],
};

const folderOf = (file: string) => (file.startsWith(ROOM) ? file.slice(ROOM.length).split("/").slice(0, -1).join("/") : "");

test("the folders import exactly those above them", () => {
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

test("the command line imports only what the package exports", () => {
  const names = namesIn(readFileSync(join(ROOT, "src/evaluate.ts"), "utf8"), "./work/evaluate/index.ts");
  const exported = new Set([...names, "evaluationSchemas"]); // the package contains these as files
  expect(names.size).toBeGreaterThan(50);
  const used = filesIn("src/app/cli").flatMap((file) => [...namesIn(readFileSync(join(ROOT, file), "utf8"), "work/evaluate/index.ts")]);
  expect(used.length).toBeGreaterThan(20);
  expect(used.filter((name) => !exported.has(name))).toEqual([]);
});

/** The names that a file imports from, or re-exports of, the module with this path suffix. */
function namesIn(text: string, path: string): ReadonlySet<string> {
  const lists = [...text.matchAll(/(?:import|export)( type)? \{([^}]*)\} from "([^"]+)"/g)].filter(([, , , from]) => from?.endsWith(path));
  return new Set(lists.flatMap(([, , names = ""]) => names.split(",").map((name) => name.replace("type ", "").trim())).filter(Boolean));
}
