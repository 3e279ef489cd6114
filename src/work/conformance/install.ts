// Installs the pinned CLIs once into the user's cache folder, apart from this package's dependencies. They work offline afterwards.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { makeDirectories } from "../../host/files/index.ts";
import { own, scripted, writeFile } from "../../host/sink/index.ts";
import { HarnessError } from "../../pure/base/index.ts";
import type { Pin } from "./pin.ts";

const STAMP = ".harness-complete";

/** The folder a pin is or would be installed into. */
export function folderOf(id: string, { cache = id, version }: Pin, env: NodeJS.ProcessEnv): string {
  return join(env["XDG_CACHE_HOME"] || join(env["HOME"] || homedir(), ".cache"), "harness", "agents", `${cache}-${version}`);
}

/** Whether the folder holds everything the pin now asks for. */
export function isInstalled(folder: string, pin: Pin): boolean {
  const stamp = join(folder, STAMP);
  return existsSync(stamp) && readFileSync(stamp, "utf8") === specOf(pin);
}

/** Installs into a neighbouring folder and renames it when it is complete, so an interrupted download never looks installed. */
export function install(folder: string, pin: Pin, say: (sentence: string) => void): void {
  const spec = specOf(pin);
  say(`Downloading ${spec} with npm, about ${pin.megabytes} MB unpacked, into ${folder}`);
  const partial = `${folder}.partial-${process.pid}`;
  try {
    makeDirectories(partial, 0o777);
    writeFile(join(partial, "package.json"), own`{ "private": true }\n`);
    const [first = spec, ...more] = spec.split(" ");
    const packages = pin.isBundle === true ? more : [first, ...more];
    if (packages.length > 0) npm(spec, partial, ["install", ...INSTALL, ...packages]);
    if (pin.isBundle === true) unpack(spec, partial, first, pin.package);
    writeFile(join(partial, STAMP), scripted(spec));
    rmSync(folder, { recursive: true, force: true });
    renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  say(`${Math.round(sizeOf(folder) / 1e6)} MB installed`);
}

export function specOf(pin: Pin): string {
  return [`${pin.package}@${pin.version}`, ...(pin.beside ?? []).map((each) => each.package)].join(" ");
}

const INSTALL = ["--save-exact", "--ignore-scripts", "--engine-strict=false", "--no-audit", "--no-fund", "--loglevel=error"];

/** Unpacks a package without its dependencies. */
function unpack(spec: string, folder: string, first: string, name: string): void {
  const archive = npm(spec, folder, ["pack", "--silent", first]).trim().split("\n").at(-1) ?? "";
  const place = join(folder, "node_modules", name);
  mkdirSync(place, { recursive: true });
  execFileSync("tar", ["-xzf", join(folder, archive), "-C", place, "--strip-components=1"]);
  rmSync(join(folder, archive));
}

function npm(spec: string, cwd: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync("npm", args, { cwd, encoding: "utf8", shell: process.platform === "win32" });
  if (status === 0) return stdout;
  const reason = reasonOf(error?.message ?? stderr);
  throw new HarnessError(
    "start",
    `Cannot download ${spec}: ${reason}. The first installation needs the npm registry: try again when you can reach it.`,
  );
}

/** npm's first lines, without its prefix and without the registry's address. */
function reasonOf(text: string): string {
  const lines = text.split("\n").map((line) => line.replace(/^npm (?:error|ERR!) ?/, "").trim());
  const reasons = lines.filter((line) => line !== "" && !line.startsWith("npm warn") && !line.startsWith("A complete log"));
  return reasons
    .slice(0, 2)
    .join(", ")
    .replace(/https?:\/\/\S+/g, "the registry")
    .replace(/\.$/, "");
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
