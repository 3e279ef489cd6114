// The output of every view for every fixture, checked in: in full, or as a hash in the agent's list. fixtures/README.md says which.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import type { View } from "../../src/pure/pipeline/view.ts";
import { type ViewId, views } from "../../src/pure/views/views.ts";
import { FIXTURES, type Fixture, loadFixtures, replay } from "./fixtures.ts";

export interface Golden {
  readonly fixture: Fixture;
  readonly view: ViewId;
  /** Below fixtures/; undefined if its agent's list has its hash. */
  readonly file: string | undefined;
}

const README = "README.md";
const LIST = "goldens.txt";
const INPUTS = ["meta.json", "raw.jsonl", "stderr.log"];
const ALWAYS_IN_FULL: ReadonlySet<string> = new Set(["log", "activity"]);
const HASH_LENGTH = 16;

const viewIds = Object.keys(views).sort() as ViewId[];

/** Every pair of a fixture and a view, sorted as in the lists. */
export function loadGoldens(root = FIXTURES): readonly Golden[] {
  const shown = new Set(shownIn(readFileSync(join(root, README), "utf8")));
  return loadFixtures(root).flatMap((fixture) =>
    viewIds.map((view) => ({
      fixture,
      view,
      file: ALWAYS_IN_FULL.has(view) || shown.has(fixture.name) ? `${fixture.name}/${fileOf(view)}` : undefined,
    })),
  );
}

/** The fixtures that the page lists, one per line. */
export function shownIn(page: string): readonly string[] {
  return [...page.matchAll(/^- `([^`]+)`: ./gm)].map(([, name = ""]) => name);
}

export function textOf({ fixture, view: id }: Golden): string {
  const view: View = views[id];
  const records = replay<object>(fixture, view);
  if (view.text !== undefined) return records.map((record) => view.text?.(record) ?? "").join("");
  if (id === "result") return `${JSON.stringify(records[0], null, 2)}\n`;
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

function fileOf(id: ViewId): string {
  const view: View = views[id];
  if (view.text !== undefined) return `${id}.md`;
  return id === "result" ? "result.json" : `${id}.jsonl`;
}

/** A line of a list: the beginning of the text's SHA-256, the fixture, the view. */
export function lineOf(golden: Golden, text: string): string {
  return `${createHash("sha256").update(text).digest("hex").slice(0, HASH_LENGTH)}  ${nameOf(golden)}`;
}

export function nameOf({ fixture, view }: Golden): string {
  return `${fixture.name} ${view}`;
}

export function linesOfList(agent: string, root = FIXTURES): readonly string[] {
  const list = join(root, agent, LIST);
  return existsSync(list) ? readFileSync(list, "utf8").split("\n").slice(0, -1) : [];
}

/** Files below fixtures/ that are not read: not an input of a fixture, a golden, an agent's list, or the page. */
export function unreadFiles(paths: readonly string[], goldens: readonly Golden[]): readonly string[] {
  const read = new Set([README]);
  for (const { fixture, file } of goldens) {
    for (const input of INPUTS) read.add(`${fixture.name}/${input}`);
    read.add(file ?? `${fixture.agent.id}/${LIST}`);
  }
  return paths.filter((path) => !read.has(path));
}

/** Lines of one agent's list without a golden, or with the golden of another line. */
export function unreadLines(lines: readonly string[], goldens: readonly Golden[]): readonly string[] {
  const read = new Set(goldens.filter(({ file }) => file === undefined).map(nameOf));
  return lines.filter((line) => !read.delete(line.slice(HASH_LENGTH + 2)));
}

export function filesBelow(root = FIXTURES): readonly string[] {
  return readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith("stores/")) // read by test/work/history
    .sort();
}

/** Writes the goldens, removes stale ones, and returns the other files that no test reads. */
export function writeGoldens(root: string): readonly string[] {
  const goldens = loadGoldens(root);
  const lists = new Map<string, string>();
  for (const golden of goldens) {
    const text = textOf(golden);
    const list = `${golden.fixture.agent.id}/${LIST}`;
    if (golden.file !== undefined) writeFileSync(join(root, golden.file), text);
    else lists.set(list, `${lists.get(list) ?? ""}${lineOf(golden, text)}\n`);
  }
  for (const [list, text] of lists) writeFileSync(join(root, list), text);
  const names = new Set([LIST, ...viewIds.map(fileOf)]);
  const unread = unreadFiles(filesBelow(root), goldens);
  for (const path of unread) if (names.has(basename(path))) rmSync(join(root, path));
  return unread.filter((path) => !names.has(basename(path)));
}

/** The text behind a hash, or why there is none. */
export function showGolden(root: string, name: string, view: string): { readonly text: string } | { readonly problem: string } {
  const goldens = loadGoldens(root);
  const own = goldens.filter(({ fixture }) => fixture.name === name);
  const golden = own.find((one) => one.view === view);
  if (golden !== undefined) return { text: textOf(golden) };
  if (own.length > 0) return { problem: `Unknown view ${view}. Known: ${viewIds.join(", ")}.` };
  const names = [...new Set(goldens.map(({ fixture }) => fixture.name))];
  return { problem: `Unknown fixture ${name}. The nearest are ${nearest(name, names).join(", ")}.` };
}

/** Ranked by shared pairs of letters. */
function nearest(name: string, names: readonly string[]): readonly string[] {
  const pairs = (text: string) => new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)));
  const wanted = pairs(name);
  const likeness = (other: string) => {
    const own = pairs(other);
    return [...own].filter((pair) => wanted.has(pair)).length / (own.size + wanted.size);
  };
  return names
    .map((other) => ({ other, likeness: likeness(other) }))
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, 5)
    .map(({ other }) => other);
}
