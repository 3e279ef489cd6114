// Builds dist/: the library (esbuild; its .d.ts by tsc), the command line (esbuild: one small entry, the rest in chunks) and the page.
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { rolldown } from "rolldown";
import { throughDoors } from "./through-doors.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { version, engines, exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const CLI_ENTRIES = [
  { in: "src/app/cli/index.ts", out: "harness" },
  { in: "src/app/cli/describe.ts", out: "describe" }, // for scripts/docs.mjs
  { in: "src/work/native/program/index.ts", out: "native" }, // the program that runs our agents
  { in: "src/work/native/repl/engine-program.ts", out: "repl-engine" }, // runs a model's programs in a separate process
  { in: "src/host/recording/write/hook-program.ts", out: "hook" }, // started by agents before each call
  { in: "src/work/conformance/mcp-server.ts", out: "mcp-server" }, // started by agents
];
const EXTERNAL = ["@jitl/quickjs-wasmfile-release-sync"]; // it loads a .wasm file from its own folder

rmSync(join(root, "dist"), { recursive: true, force: true });
await buildLibrary();
await buildCli();
await joinChunks();
await buildPage();

/**
 * One file per subpath of the package, plus shared chunks: a program that imports it loads ten files, not five hundred. Every `import()`
 * is a chunk that loads on demand.
 */
async function buildLibrary() {
  const entries = Object.values(exports).flatMap(({ default: file }) => (file === undefined ? [] : [basename(file, ".js")]));
  execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.build.json"], {
    cwd: root,
    stdio: "inherit",
  });
  await build({
    absWorkingDir: root,
    entryPoints: entries.map((name) => ({ in: `src/${name}.ts`, out: name })),
    outdir: "dist",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    packages: "external",
    plugins: [throughDoors],
    target: "node20.19",
    chunkNames: "chunks/[name]-[hash]",
    logLevel: "warning",
  });
}

/** Every `import()` is a separate chunk, so that a command loads only what it needs. */
async function buildCli() {
  await build({
    absWorkingDir: root,
    entryPoints: CLI_ENTRIES,
    outdir: "dist/cli",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    plugins: [throughDoors],
    external: EXTERNAL,
    target: "node20.19",
    chunkNames: "chunks/[name]-[hash]",
    loader: { ".bash": "text", ".zsh": "text", ".fish": "text" },
    define: { HARNESS_VERSION: JSON.stringify(version), HARNESS_NODE: JSON.stringify(engines.node.replace(">=", "")) },
    // Bundled CommonJS (commander) calls `require` for Node's modules, which an ES module does not have.
    banner: { js: "const require = process.getBuiltinModule;" },
    minify: true, // halves what every start reads and compiles
    logLevel: "warning",
  });
}

/** Opening a file takes longer than compiling the little that most of esbuild's chunks hold: what most commands share becomes one file. */
async function joinChunks() {
  const [from, to] = [join(root, "dist/cli"), join(root, "dist/joined")];
  // The first file is kept unchanged, because it answers --version without loading anything: what it loads later is an entry here.
  const first = readFileSync(join(from, "harness.js"), "utf8");
  const later = [...first.matchAll(/import\("\.\/(chunks\/[^"]+)\.js"\)/g)].map(([, name]) => name);
  const inputs = [...later, ...CLI_ENTRIES.map(({ out }) => out).filter((out) => out !== "harness")];
  const bundle = await rolldown({
    input: Object.fromEntries(inputs.map((name) => [name, join(from, `${name}.js`)])),
    platform: "node",
    external: [/^node:/, ...EXTERNAL],
    treeshake: false,
  });
  await bundle.write({
    dir: to,
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    minify: true,
    codeSplitting: { groups: [{ name: "shared", minShareCount: 24 }] },
  });
  await bundle.close();
  copyFileSync(join(from, "harness.js"), join(to, "harness.js"));
  rmSync(from, { recursive: true });
  renameSync(to, from);
  chmodSync(join(from, "harness.js"), 0o755);
}

/** One script and one style, which are also embedded in exported files. */
async function buildPage() {
  await build({
    absWorkingDir: root,
    entryPoints: [
      { in: "page/main.tsx", out: "page" },
      { in: "page/style/page.css", out: "page" },
    ],
    outdir: "dist/page",
    bundle: true,
    format: "esm",
    platform: "browser",
    target: ["chrome110", "firefox115", "safari16.4"],
    jsx: "automatic",
    jsxImportSource: "preact",
    minify: true,
    charset: "utf8",
    legalComments: "none",
    logLevel: "warning",
  });
  copyFileSync(join(root, "page/index.html"), join(root, "dist/page/index.html"));
}
