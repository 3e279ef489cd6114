// What a fresh clone lacks, made on demand and said aloud: dependencies and the build. Only Node is needed to run this.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findChromium } from "./find-chromium.mjs";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Runs a command in the project, its output shown; ends this process with its exit code if it fails. */
export function step(title, command, args, options = {}) {
  console.error(`▸ ${title}`);
  const { status, signal, error } = spawnSync(command, args, { cwd: root, stdio: "inherit", ...options });
  if (status === 0) return;
  console.error(`✗ ${title} failed${error ? `: ${error.message}` : signal ? ` (${signal})` : ""}`);
  process.exit(status ?? 1);
}

/** A program of node_modules, run without going through npx. */
export function tool(title, name, args, options) {
  step(title, process.execPath, [join(root, "node_modules", bin(name)), ...args], options);
}

function bin(name) {
  const [pkg, program = name.split("/").pop()] = name.split("#");
  const { bin } = JSON.parse(readFileSync(join(root, "node_modules", pkg, "package.json"), "utf8"));
  return join(pkg, typeof bin === "string" ? bin : bin[program]);
}

/** Installs what the lock file says, once per lock file. */
export function ensureInstalled() {
  const lock = readFileSync(join(root, "package-lock.json"), "utf8");
  const stamp = join(root, "node_modules", ".harness-lock");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  step("Installing dependencies (npm ci)", "npm", ["ci", "--no-audit", "--no-fund"], { shell: process.platform === "win32" });
  writeFileSync(stamp, lock);
}

/** The page is tested in a real browser. Where there is none, Debian's is installed if we may; else the tests say how to get one. */
export function ensureChromium() {
  if (findChromium() !== undefined || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const title = "Installing a browser for the tests of the page (apt-get install chromium)";
  spawnSync("apt-get", ["update", "-q"], { env, stdio: "ignore" }); // a new machine has no lists; old ones may still do
  step(title, "apt-get", ["install", "-y", "-q", "chromium"], { env });
}

/** Builds dist/ unless it is newer than every source. */
export function ensureBuilt() {
  const built = join(root, "dist/cli/harness.js");
  const scripts = ["package.json", "scripts/build.mjs", "scripts/through-doors.mjs"].map((file) => join(root, file));
  const sources = [...scripts, ...files(join(root, "src")), ...files(join(root, "page"))];
  if (existsSync(built) && sources.every((file) => statSync(file).mtimeMs <= statSync(built).mtimeMs)) return;
  step("Building (npm run build)", process.execPath, [join(root, "scripts/build.mjs")]);
}

function files(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? files(join(folder, entry.name)) : [join(folder, entry.name)],
  );
}
