import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { describe, expect, test } from "vitest";

/** Who may import whom; ARCHITECTURE.md draws it. A folder that is not here does not exist yet. */
const layers: Record<string, readonly string[]> = {
  core: [],
  statistics: [],
  shell: ["core"],
  agents: ["core", "shell"],
  graph: ["core"],
  checks: ["core", "shell"],
  views: ["core", "shell", "graph"],
  schemas: ["core", "views", "eval"],
  store: ["core"],
  workspace: ["core", "store"],
  runner: ["core", "agents"],
  model: ["core"],
  config: ["core", "store"],
  own: ["core", "agents", "store"],
  derive: ["core", "agents", "views", "store", "own"],
  acp: ["core"],
  recorder: ["core", "agents", "views", "store", "runner", "own", "derive", "acp"],
  conformance: ["core", "agents", "views", "store", "runner", "model"],
  eval: ["core", "statistics", "views", "store", "workspace", "runner", "derive", "recorder"],
  observe: ["core", "shell", "checks", "agents", "views", "store", "workspace", "runner", "model", "own", "derive", "recorder"],
  timeline: ["core", "statistics", "views"],
  web: ["core", "views", "store", "own", "derive", "eval", "timeline"],
  native: ["core", "graph", "store", "workspace", "runner", "views", "recorder"],
  cli: [],
};
layers["cli"] = Object.keys(layers).filter((layer) => layer !== "cli"); // everything

/** Packages a layer may use. The pure core depends on nothing. */
const packages: Record<string, readonly string[]> = {
  shell: ["unbash"],
  schemas: ["zod"],
  own: ["zod"],
  model: ["yaml"],
  config: ["smol-toml"],
  conformance: ["yaml"],
  acp: ["@agentclientprotocol/sdk"],
  eval: ["ajv"],
  observe: ["yaml", "jiti"],
  native: [
    "ai",
    "@ai-sdk/anthropic",
    "@ai-sdk/google",
    "@ai-sdk/mcp",
    "@ai-sdk/openai",
    "@ai-sdk/openai-compatible",
    "@jitl/quickjs-wasmfile-release-sync",
    "quickjs-emscripten-core",
    "zod",
  ],
  cli: ["commander", "picocolors"],
};

const pure = new Set(["core", "statistics", "shell", "agents", "graph", "checks", "views", "timeline"]);

const ROOT = join(import.meta.dirname, "../src");

interface Import {
  readonly file: string;
  readonly layer: string;
  readonly target: string;
}

function imports(): { files: string[]; found: Import[] } {
  const files = readdirSync(ROOT, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".test.ts"),
  );
  const found = files.flatMap((file) => {
    const layer = file.includes(sep) ? (file.split(sep)[0] ?? "") : "";
    const text = readFileSync(join(ROOT, file), "utf8");
    const targets = [...text.matchAll(/(?:^|[\s;])(?:import|export)\s[^"';]*?from\s*"([^"]+)"|import\(\s*"([^"]+)"|^import\s*"([^"]+)"/gm)];
    return targets.map((match) => ({ file, layer, target: resolve(file, match[1] ?? match[2] ?? match[3] ?? "") }));
  });
  return { files, found };
}

/** A layer's name for a file of ours, the package's name for a package. */
function resolve(file: string, specifier: string): string {
  if (!specifier.startsWith(".")) return specifier;
  const path = relative(ROOT, join(ROOT, file, "..", specifier));
  return path.includes(sep) ? `#${path.split(sep)[0]}` : "#";
}

/** What the page imports: files in `page/` that import what lies outside of it. */
function importsOfPage(): readonly { readonly file: string; readonly target: string }[] {
  const folder = join(ROOT, "../page");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
  return files.flatMap((file) => {
    const text = readFileSync(join(folder, file), "utf8");
    return [...text.matchAll(/(?:import|export)\s[^"';]*?from\s*"([^"]+)"/g)].map(([, target = ""]) => ({ file, target }));
  });
}

describe("layers", () => {
  const { files, found } = imports();

  test("the check looked: files and imports were found in every layer", () => {
    expect(files.length).toBeGreaterThan(40);
    for (const layer of Object.keys(layers))
      expect(files.filter((file) => file.startsWith(`${layer}${sep}`)).length, layer).toBeGreaterThan(0);
    expect(found.length).toBeGreaterThan(150);
    expect(found.some(({ layer, target }) => layer === "agents" && target === "#shell")).toBe(true);
  });

  test("every folder of src is a layer", () => {
    const folders = readdirSync(ROOT, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).sort()).toEqual(Object.keys(layers).sort());
  });

  test("imports follow the arrows", () => {
    const wrong = found
      .filter(({ layer, target }) => layer !== "" && target.startsWith("#") && target !== `#${layer}`)
      .filter(({ layer, target }) => !layers[layer]?.includes(target.slice(1)));
    expect(wrong).toEqual([]);
  });

  test("packages are used only where they belong, Node only outside the pure folders", () => {
    const wrong = found
      .filter(({ target }) => !target.startsWith("#"))
      .filter(({ layer, target }) => {
        if (target.startsWith("node:")) return pure.has(layer);
        const name = target
          .split("/")
          .slice(0, target.startsWith("@") ? 2 : 1)
          .join("/");
        return !packages[layer]?.includes(name);
      });
    expect(wrong).toEqual([]);
  });

  test("the page imports pure folders only, and its own packages", () => {
    const all = importsOfPage();
    expect(all.length).toBeGreaterThan(50);
    const wrong = all.filter(({ target }) => {
      const [, layer] = /(?:\.\.\/)+src\/([^/]+)\//.exec(target) ?? [];
      if (layer !== undefined) return !pure.has(layer);
      return !target.startsWith(".") && !/^(preact(\/hooks)?|markdown-it)$/.test(target);
    });
    expect(wrong).toEqual([]);
  });

  test("files stay small: none over 400 lines, the median under 100", () => {
    const lengths = files.map((file) => ({ file, lines: readFileSync(join(ROOT, file), "utf8").split("\n").length }));
    expect(lengths.filter(({ lines }) => lines > 400)).toEqual([]);
    const sorted = lengths.map(({ lines }) => lines).sort((a, b) => a - b);
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(100);
  });
});
