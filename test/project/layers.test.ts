import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import { filesIn, importsOf, ROOT, specifiersIn } from "./imports.ts";
import { syntaxIn } from "./syntax.ts";

/** The rooms that each room opens, as in ARCHITECTURE.md. Every arrow is used by an import. */
const arrows: Record<string, readonly string[]> = {
  "app/cli": [
    "app/terminal",
    "app/tui",
    "app/web",
    "host/config",
    "host/files",
    "host/limits",
    "host/prices",
    "host/process",
    "host/recording",
    "host/secrets",
    "host/sink",
    "pure/agents",
    "pure/base",
    "pure/checks",
    "pure/conversation",
    "pure/events",
    "pure/isolation",
    "pure/pipeline",
    "pure/shell",
    "pure/verdicts",
    "pure/views",
    "work/conformance",
    "work/evaluate",
    "work/history",
    "work/model",
    "work/observe",
    "work/rerun",
  ],
  "app/terminal": ["host/secrets", "host/sink", "pure/base", "pure/events", "pure/pipeline"],
  "app/tui": ["app/terminal", "host/files", "host/recording", "pure/base", "pure/events", "pure/pipeline", "pure/views"],
  "app/web": [
    "host/files",
    "host/listen",
    "host/recording",
    "host/secrets",
    "host/sink",
    "pure/base",
    "pure/events",
    "pure/pipeline",
    "pure/timeline",
    "pure/verdicts",
    "pure/views",
    "work/evaluate",
  ],
  "host/config": ["host/limits", "pure/agents", "pure/base", "pure/isolation", "pure/pipeline"],
  "host/files": ["host/sink", "pure/base"],
  "host/isolation": ["host/files", "host/process", "host/proxy", "host/sink", "pure/base", "pure/isolation", "pure/pipeline"],
  "host/limits": ["host/process", "host/sink", "pure/base"],
  "host/listen": ["pure/base"],
  "host/permissions": ["host/sink", "pure/base", "pure/events", "pure/pipeline", "pure/shell"],
  "host/process": ["host/permissions", "host/proxy", "host/sink", "pure/base", "pure/events", "pure/pipeline"],
  "host/proxy": ["pure/base", "pure/pipeline"],
  "host/prices": ["host/files", "host/secrets", "host/sink", "pure/base", "pure/events"],
  "host/recording": [
    "host/files",
    "host/isolation",
    "host/limits",
    "host/permissions",
    "host/process",
    "host/proxy",
    "host/secrets",
    "host/sink",
    "host/workspace",
    "pure/agents",
    "pure/base",
    "pure/events",
    "pure/isolation",
    "pure/pipeline",
    "pure/views",
    "pure/wire",
  ],
  "host/secrets": ["host/files", "host/sink", "pure/events", "pure/pipeline"],
  "host/sink": ["pure/base"],
  "host/workspace": ["host/files", "host/sink", "pure/base"],
  "pure/agents": ["pure/base", "pure/events", "pure/pipeline", "pure/shell"],
  "pure/checks": ["pure/base", "pure/events", "pure/pipeline", "pure/shell"],
  "pure/conversation": ["pure/base", "pure/events"],
  "pure/events": ["pure/base", "pure/isolation"],
  "pure/isolation": ["pure/base"],
  "pure/pipeline": ["pure/base", "pure/events"],
  "pure/shell": ["pure/base", "pure/events"],
  "pure/sqlite": ["pure/base"],
  "pure/timeline": ["pure/base", "pure/events", "pure/statistics", "pure/verdicts"],
  "pure/verdicts": ["pure/base", "pure/events"],
  "pure/views": ["pure/base", "pure/conversation", "pure/events", "pure/pipeline", "pure/shell", "pure/verdicts"],
  "pure/wire": ["pure/base", "pure/events"],
  "work/conformance": [
    "host/files",
    "host/listen",
    "host/process",
    "host/recording",
    "host/sink",
    "pure/agents",
    "pure/base",
    "pure/events",
    "pure/pipeline",
    "pure/views",
    "work/model",
  ],
  "work/evaluate": [
    "host/files",
    "host/isolation",
    "host/limits",
    "host/prices",
    "host/process",
    "host/recording",
    "host/secrets",
    "host/sink",
    "host/workspace",
    "pure/agents",
    "pure/base",
    "pure/events",
    "pure/isolation",
    "pure/pipeline",
    "pure/shell",
    "pure/statistics",
    "pure/verdicts",
    "pure/views",
  ],
  "work/model": ["host/listen", "host/sink", "pure/base", "pure/events"],
  "work/native": [
    "host/permissions",
    "host/process",
    "host/recording",
    "host/sink",
    "host/workspace",
    "pure/agents",
    "pure/base",
    "pure/conversation",
    "pure/events",
    "pure/pipeline",
  ],
  "work/history": ["host/files", "host/prices", "host/recording", "pure/agents", "pure/base", "pure/events", "pure/sqlite"],
  "work/rerun": [
    "host/proxy",
    "host/recording",
    "host/secrets",
    "host/workspace",
    "pure/base",
    "pure/events",
    "pure/isolation",
    "pure/pipeline",
    "pure/wire",
  ],
  "work/observe": [
    "host/files",
    "host/permissions",
    "host/process",
    "host/recording",
    "host/secrets",
    "host/sink",
    "host/workspace",
    "pure/agents",
    "pure/base",
    "pure/checks",
    "pure/events",
    "pure/isolation",
    "pure/pipeline",
    "pure/shell",
    "pure/views",
    "work/model",
  ],
};

/** Packages that a room may use. Other rooms depend only on Node, and pure rooms not even on that. */
const packages: Record<string, readonly string[]> = {
  "app/cli": ["commander"],
  "app/terminal": ["picocolors"],
  "host/config": ["smol-toml"],
  "host/prices": ["@pydantic/genai-prices"],
  "host/process": ["@agentclientprotocol/sdk"],
  "host/recording": ["zod"],
  "pure/shell": ["unbash"],
  "work/conformance": ["yaml"],
  "work/evaluate": ["ajv", "smol-toml", "yaml"],
  "work/history": ["fzstd"],
  "work/model": ["yaml"],
  "work/native": [
    "@ai-sdk/anthropic",
    "@ai-sdk/google",
    "@ai-sdk/mcp",
    "@ai-sdk/openai",
    "@ai-sdk/openai-compatible",
    "@jitl/quickjs-wasmfile-release-sync",
    "ai",
    "quickjs-emscripten-core",
    "zod",
  ],
  page: ["markdown-it", "preact"],
};

/** A district opens the districts below it, and its own rooms along the arrows. */
const districts = ["pure", "host", "work", "app"];

/** The published files: one list of exports per subpath, taken from any door. */
const published = ["evaluate.ts", "graph.ts", "index.ts", "native.ts", "observe.ts"];

const files = filesIn("src");
const imports = files.flatMap((file) => importsOf(file));
const page = filesIn("page");
const importsOfPage = page.flatMap((file) => importsOf(file));
const everyImport = [...imports, ...importsOfPage];

/** `pure/base` for `src/pure/base/json.ts`; empty for the library's door. */
const roomOf = (file: string) => (file.startsWith("page/") ? "page" : file.split("/").slice(1, 3).join("/"));
const isOurs = (target: string) => /^(?:src|page)\//.test(target);

/** Files of the same and enclosing folders may be imported directly; other folders only through their `index.ts`. */
function mayImport(file: string, target: string): boolean {
  const from = dirname(file).split("/");
  const to = dirname(target).split("/");
  const shared = to.findIndex((name, i) => name !== from[i]);
  if (shared === -1) return true;
  const depth = to[0] === "src" ? Math.max(shared, 2) : shared; // a district is not a room
  return target === [...to.slice(0, depth + 1), "index.ts"].join("/");
}

/** One cycle for each group of files that import each other. */
function cyclesIn(targets: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const done = new Set<string>();
  const way: string[] = [];
  const found: string[] = [];
  const visit = (file: string): void => {
    if (way.includes(file)) found.push([...way.slice(way.indexOf(file)), file].join(" → "));
    if (done.has(file)) return;
    done.add(file);
    way.push(file);
    for (const target of targets.get(file) ?? []) visit(target);
    way.pop();
  };
  for (const file of targets.keys()) visit(file);
  return found;
}

/** The files that esbuild finds each file to load: a second reader. It skips imports of types. */
async function loadedBy(entries: readonly string[]): Promise<Map<string, readonly string[]>> {
  const { metafile } = await build({
    stdin: { contents: entries.map((entry) => `import "./${entry}";`).join("\n"), resolveDir: ROOT },
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    outdir: "unused",
    metafile: true,
    packages: "external",
    format: "esm",
    platform: "node",
    logLevel: "silent",
    loader: { ".bash": "text", ".fish": "text", ".zsh": "text" },
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true, jsx: "preserve" } },
  });
  return new Map(Object.entries(metafile.inputs).map(([file, { imports: found }]) => [file, found.map(({ path }) => path)]));
}

describe("layers", () => {
  test("esbuild finds the same files and imports", { timeout: 60_000 }, async () => {
    const loaded = await loadedBy([...files, ...page]);
    expect([...loaded.keys()].filter((file) => /\.tsx?$/.test(file)).sort()).toEqual([...files, ...page].sort());
    const sorted = (targets: readonly string[]) => [...new Set(targets)].filter((target) => target !== "<runtime>").sort();
    for (const file of [...files, ...page]) {
      const targets = everyImport.filter((each) => each.file === file && !each.isType).map(({ target }) => target);
      expect([file, ...sorted(loaded.get(file) ?? [])]).toEqual([file, ...sorted(targets)]);
    }
  });

  test("every source file is TypeScript", () => {
    expect([...files, ...page].filter((file) => !/(?<!\.d)\.tsx?$/.test(file))).toEqual(["src/app/cli/globals.d.ts"]); // declares the modules of texts
  });

  test("imports are found in every spelling", () => {
    const found = (text: string) => specifiersIn(syntaxIn(text), "text.ts").map(({ specifier }) => specifier);
    expect(found('import "a"; import { b } from "b"; export * from "c"')).toEqual(["a", "b", "c"]);
    expect(found("import a from 'a'; export { b } from 'b'")).toEqual(["a", "b"]);
    expect(found('// an odd `\nimport a from "a"; const b = `import "c"`; // import "d"')).toEqual(["a"]);
    expect(found('import(`a`); import("b", {}); const c = await import(\n"c"\n)')).toEqual(["a", "b", "c"]);
    expect(found('import a = require("a"); const b = require("b")')).toEqual(["a", "b"]);
    expect(found('let a: import("a").A; import type { B } from "b"; export type { C } from "c"; import { type D } from "d"')).toEqual([
      "a",
      "b",
      "c",
      "d",
    ]);
    expect(found('import a from "a" with { type: "json" }; const url = "https://x"; import "b"')).toEqual(["a", "b"]);
    expect(() => found("import(a)")).toThrow("not a literal");
    expect(() => found(["import(`./$", "{a}.ts`)"].join(""))).toThrow("not a literal");
    expect(() => found('/// <reference path="a.ts" />')).toThrow("<reference");
  });

  test("every file was read, and every room has imports", () => {
    for (const { target } of everyImport.filter(({ target }) => isOurs(target)))
      expect(readFileSync(join(ROOT, target), "utf8"), target).not.toBe("");
    for (const district of districts)
      for (const room of readdirSync(join(ROOT, "src", district)))
        expect(imports.some(({ file }) => roomOf(file) === `${district}/${room}`) || room === "base" || room === "statistics", room).toBe(
          true,
        );
    expect(readdirSync(join(ROOT, "src")).sort()).toEqual([...districts, ...published].sort());
  });

  test("rooms open exactly the rooms of the arrows", () => {
    const used: Record<string, string[]> = {};
    for (const { file, target } of imports.filter(({ target }) => isOurs(target))) {
      const [from, to] = [roomOf(file), roomOf(target)];
      if (from === to || dirname(file) === "src") continue;
      used[from] ??= [];
      if (!used[from].includes(to)) used[from].push(to);
    }
    for (const room of Object.values(used)) room.sort();
    expect(used).toEqual(arrows);
  });

  test("a folder is entered through its door: index.ts", () => {
    const wrong = everyImport.filter(({ file, target }) => isOurs(target) && !mayImport(file, target));
    expect(wrong.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
  });

  test("every folder has a door", () => {
    const folders = new Set([...files, ...page].map(dirname));
    for (const open of ["src", ...districts.map((district) => `src/${district}`), "page"]) folders.delete(open);
    expect([...folders].filter((folder) => !existsSync(join(ROOT, folder, "index.ts")))).toEqual([]);
  });

  test("no file imports itself through others, not even for a type", () => {
    const targets = new Map<string, string[]>();
    for (const { file, target } of everyImport) if (isOurs(target)) targets.set(file, [...(targets.get(file) ?? []), target]);
    expect(cyclesIn(targets)).toEqual([]);
    expect(
      cyclesIn(
        new Map([
          ["a", ["b", "d"]],
          ["b", ["c"]],
          ["c", ["b"]],
        ]),
      ),
    ).toEqual(["b → c → b"]); // a cycle would be found
  });

  test("no arrow leads up: pure opens pure, host opens pure and host, work those and work, app all", () => {
    const level = (room: string) => districts.indexOf(room.split("/")[0] ?? "");
    const wrong = Object.entries(arrows).flatMap(([from, all]) =>
      all.filter((to) => level(to) > level(from)).map((to) => `${from} → ${to}`),
    );
    expect(wrong).toEqual([]);
  });

  test("packages are used only in their rooms, Node only outside the pure ones", () => {
    const used: Record<string, Set<string>> = {};
    for (const { file, target } of everyImport.filter(({ target }) => !isOurs(target))) {
      const room = roomOf(file);
      if (target.startsWith("node:")) {
        expect(room, file).not.toMatch(/^(pure\/|page$)/);
        continue;
      }
      const name = target
        .split("/")
        .slice(0, target.startsWith("@") ? 2 : 1)
        .join("/");
      used[room] ??= new Set();
      used[room].add(name);
    }
    expect(Object.fromEntries(Object.entries(used).map(([room, names]) => [room, [...names].sort()]))).toEqual(packages);
  });

  test("the page opens pure rooms only", () => {
    expect(page.length).toBeGreaterThan(80);
    const outside = importsOfPage.filter(({ target }) => target.startsWith("src/"));
    expect(outside.length).toBeGreaterThan(50);
    expect(outside.filter(({ target }) => !target.startsWith("src/pure/"))).toEqual([]);
  });

  test("files stay small: none over 400 lines, the median under 100", () => {
    const lengths = files.map((file) => ({ file, lines: readFileSync(join(ROOT, file), "utf8").split("\n").length }));
    expect(lengths.filter(({ lines }) => lines > 400)).toEqual([]);
    const sorted = lengths.map(({ lines }) => lines).sort((a, b) => a - b);
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(100);
  });
});
