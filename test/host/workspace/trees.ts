import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { onTestFinished } from "vitest";
import { removeTree } from "../../../src/host/workspace/remove-tree.ts";

/** A tree that tests write and read with plain calls: names and contents are bytes, as latin1 text. */
export type Node =
  | { readonly file: string; readonly mode: number }
  | { readonly link: string }
  | { readonly tree: Tree; readonly mode: number };
export type Tree = ReadonlyMap<string, Node>;

const bytes = (text: string): Buffer => Buffer.from(text, "latin1");
const under = (at: Buffer, name: string): Buffer => Buffer.concat([at, Buffer.from("/"), bytes(name)]);

export function temporary(): string {
  const path = mkdtempSync(join(tmpdir(), "harness-workspace-"));
  onTestFinished(() => removeTree(path).then(() => undefined));
  return path;
}

/** `bare`: only what git tracks, so no directory without a file. */
export function plant(tree: Tree, at: string | Buffer, { bare = false } = {}): void {
  const here = Buffer.from(at);
  mkdirSync(here, { recursive: true });
  for (const [name, node] of tree) {
    const path = under(here, name);
    if ("link" in node) symlinkSync(bytes(node.link), path);
    else if ("file" in node) {
      writeFileSync(path, bytes(node.file));
      chmodSync(path, node.mode);
    } else if (!bare || holdsFiles(node.tree)) {
      plant(node.tree, path, { bare });
      chmodSync(path, node.mode);
    }
  }
}

export function holdsFiles(tree: Tree): boolean {
  return [...tree.values()].some((node) => !("tree" in node) || holdsFiles(node.tree));
}

/** One line per entry. With `git`: files, links and executable bits only. */
export function seen(at: string | Buffer, { git = false } = {}, prefix = ""): string[] {
  const here = Buffer.from(at);
  return readdirSync(here, { encoding: "buffer" }).flatMap((bytesOfName) => {
    const name = bytesOfName.toString("latin1");
    const path = under(here, name);
    const stats = lstatSync(path);
    const mode = git ? (stats.mode & 0o100 ? "x" : "-") : (stats.mode & 0o7777).toString(8);
    const label = JSON.stringify(prefix + name);
    if (stats.isSymbolicLink()) return [`${label} -> ${JSON.stringify(readlinkSync(path, "latin1"))}`];
    if (stats.isFile()) return [`${label} ${mode} ${JSON.stringify(readFileSync(path, "latin1"))}`];
    const below = stats.isDirectory() ? seen(path, { git }, `${prefix}${name}/`) : [];
    return git ? below : [`${label} ${mode} ${stats.isDirectory() ? "directory" : "special"}`, ...below];
  });
}

export const sorted = (lines: readonly string[]): string[] => [...lines].sort();

const utf8 = (text: string): string => Buffer.from(text).toString("latin1");
const names = ["a", "b", "c.txt", "sp ace", " lead", "trail ", utf8("ü"), 'qu"ote', "tab\t", "back\\slash", "new\nline", "-dash"].concat([
  "\xff\xfe",
  utf8("😀"),
  utf8("\uFFFD"),
  "a:b",
  "*",
  "dev",
  "null",
]);

const line = fc.constantFrom(
  "one\n",
  "two\n",
  "three\n",
  "\n",
  "  indented\n",
  "crlf\r\n",
  "cr\rinside\n",
  "-- minus\n",
  "+ plus\n",
  "\xe9\n",
);
const text = fc
  .tuple(fc.array(line, { maxLength: 40 }), fc.constantFrom("", "", "tail", "\r", "\\ No newline"))
  .map(([all, end]) => all.join("") + end);
const binary = fc.uint8Array({ maxLength: 300 }).map((all) => Buffer.from(all).toString("latin1"));
const contents = fc.oneof(
  { weight: 6, arbitrary: text },
  { weight: 2, arbitrary: binary },
  fc.constantFrom("", "\0", "\n", `${"x".repeat(9000)}\0`),
);
const file = fc.record({ file: contents, mode: fc.constantFrom(0o644, 0o755, 0o600, 0o744) });
const link = fc.record({
  link: fc.constantFrom("a", "../..", "/etc/passwd", "no/where", "\xff", utf8("ü"), "two\nlines", "ends\n", "sp ace "),
});

const { tree } = fc.letrec<{ tree: Tree; node: Node }>((tie) => ({
  tree: fc.dictionary(fc.constantFrom(...names), tie("node"), { maxKeys: 6 }).map((all) => new Map(Object.entries(all))),
  node: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 5, arbitrary: file },
    { weight: 1, arbitrary: link },
    { weight: 3, arbitrary: fc.record({ tree: tie("tree"), mode: fc.constantFrom(0o755, 0o700, 0o711) }) },
  ),
}));

/** A state and a later one: partly the same, partly edited, partly new. */
export const beforeAndAfter: fc.Arbitrary<readonly [Tree, Tree]> = fc
  .tuple(tree, tree, fc.array(fc.tuple(fc.nat(), fc.nat(), line), { maxLength: 8 }), fc.integer({ min: 0, max: 3 }))
  .map(([before, other, edits, share]) => [before, share === 0 ? other : merged(before, other, edits)] as const);

function merged(before: Tree, other: Tree, edits: readonly (readonly [number, number, string])[]): Tree {
  const all = new Map(before);
  for (const [name, node] of other) if (node !== undefined && (name.length + all.size) % 2 === 0) all.set(name, node);
  for (const [which, where, added] of edits) {
    const name = [...all.keys()][which % Math.max(all.size, 1)];
    const node = name === undefined ? undefined : all.get(name);
    if (name === undefined || node === undefined) continue;
    if ("tree" in node) all.set(name, { ...node, tree: merged(node.tree, new Map(), [[where, which, added]]) });
    else if ("file" in node) {
      const at = where % (node.file.length + 1);
      if (which % 5 === 0) all.delete(name);
      else if (which % 5 === 1) all.set(name, { ...node, mode: node.mode ^ 0o100 });
      else if (which % 5 === 2) {
        all.delete(name);
        all.set(`${name}.moved`, node);
      } else all.set(name, { ...node, file: node.file.slice(0, at) + added + node.file.slice(at + (which % 7)) });
    }
  }
  return all;
}
