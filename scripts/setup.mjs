// Installs and builds a fresh clone on demand, and says so. Needs only Node.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findChromium } from "./find-chromium.mjs";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Runs a command in the project and shows its output. Exits with its code if it fails. */
export function step(title, command, args, options = {}) {
  console.error(`▸ ${title}`);
  const { status, signal, error } = spawnSync(command, args, { cwd: root, stdio: "inherit", ...options });
  if (status === 0) return;
  console.error(`✗ ${title} failed${error ? `: ${error.message}` : signal ? ` (${signal})` : ""}`);
  process.exit(status ?? 1);
}

/** Runs all commands, two at a time, and shows the output of each when it ends. */
export async function together(steps) {
  const queue = [...steps];
  let status = 0;
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined && status === 0; next = queue.shift()) {
      const ended = await quietly(...next);
      status ||= ended; // read after the wait: the other worker may have failed in the meantime
    }
  };
  await Promise.all([worker(), worker()]);
  if (status !== 0) process.exit(status);
}

async function quietly(title, command, args) {
  const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => said.push(bytes));
  const [status, signal] = await once(child, "close");
  process.stderr.write(`▸ ${title}\n${Buffer.concat(said)}`);
  if (status !== 0) console.error(`✗ ${title} failed${signal ? ` (${signal})` : ""}`);
  return status ?? 1;
}

/** The command line for a program in node_modules, without npx. */
export function program(name, args) {
  return [process.execPath, [join(root, "node_modules", bin(name)), ...args]];
}

function bin(name) {
  const [pkg, program = name.split("/").pop()] = name.split("#");
  const { bin } = JSON.parse(readFileSync(join(root, "node_modules", pkg, "package.json"), "utf8"));
  return join(pkg, typeof bin === "string" ? bin : bin[program]);
}

/** Installs the locked dependencies, once per lock file. */
export function ensureInstalled() {
  const lock = readFileSync(join(root, "package-lock.json"), "utf8");
  const stamp = join(root, "node_modules", ".harness-lock");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  step("Installing dependencies (npm ci)", "npm", ["ci", "--no-audit", "--no-fund"], { shell: process.platform === "win32" });
  writeFileSync(stamp, lock);
}

/**
 * The step that installs what the tests need of Debian, if we are root: Chromium for the page, bubblewrap and Podman for walls around
 * agents. Otherwise the tests say how to get them.
 */
export function missingPrograms() {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return [];
  const has = (name) => spawnSync(name, ["--version"]).status === 0;
  const missing = [
    ...(findChromium() === undefined ? ["chromium"] : []),
    ...(has("bwrap") ? [] : ["bubblewrap"]),
    ...(has("podman") ? [] : ["podman", "runc"]), // its default, crun, fails where both versions of control groups are mounted
  ];
  if (missing.length === 0) return [];
  const names = missing.join(" ");
  const line = `apt-get update -q > /dev/null; DEBIAN_FRONTEND=noninteractive apt-get install -y -q ${names} > /dev/null`;
  return [[`Installing what the tests need (apt-get install ${names})`, "sh", ["-c", line]]];
}

/** Builds dist/ unless it is newer than every source. */
export function ensureBuilt() {
  for (const build of missingBuild()) step(...build);
}

/** The step that builds dist/, if it is out of date. */
export function missingBuild() {
  const built = join(root, "dist/cli/harness.js");
  const scripts = ["package.json", "scripts/build.mjs", "scripts/through-doors.mjs"].map((file) => join(root, file));
  const sources = [...scripts, ...files(join(root, "src")), ...files(join(root, "page"))];
  if (existsSync(built) && sources.every((file) => statSync(file).mtimeMs <= statSync(built).mtimeMs)) return [];
  return [["Building (npm run build)", process.execPath, [join(root, "scripts/build.mjs")]]];
}

function files(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? files(join(folder, entry.name)) : [join(folder, entry.name)],
  );
}

/** The options of a script. A mistake is one sentence and exit code 2. */
export function optionsOf(script, options) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    console.error(`${script}: ${error.message}`);
    process.exit(2);
  }
}
