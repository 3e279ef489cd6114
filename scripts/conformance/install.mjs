// The pinned CLIs, installed once into the cache folder of the user, outside this package's dependencies; offline afterwards.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Its folder, its program, and what PATH needs for it. Says what it downloads; throws one sentence where it cannot. */
export function installed(id, agent) {
  if (!runsHere(agent)) throw new Error(`${agent.label} needs Node ${agent.node}; this is ${process.versions.node}.`);
  const spec = [`${agent.package}@${agent.version}`, ...(agent.beside ?? []).map((each) => each.package)].join(" ");
  const folder = join(cacheFolder(), `${agent.cache ?? id}-${agent.version}`);
  if (!existsSync(join(folder, STAMP)) || readFileSync(join(folder, STAMP), "utf8") !== spec) install(spec, folder, agent);
  const binary = agent.binary(folder);
  if (binary === undefined)
    throw new Error(`${spec} has no program for ${process.platform}-${process.arch}; run the corpus on another machine.`);
  return { folder, binary, path: (agent.beside ?? []).flatMap((each) => each.folder(folder)) };
}

/** Whether this Node is new enough for it. */
export function runsHere({ node = 0 }) {
  return Number(process.versions.node.split(".")[0]) >= node;
}

const STAMP = ".harness-complete";

function cacheFolder() {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "harness", "agents");
}

/** Into a folder beside it, which takes the name only when it is whole: an interrupted download leaves nothing that looks installed. */
function install(spec, folder, { megabytes, package: name, isBundle }) {
  console.error(`▸ Downloading ${spec} by npm, about ${megabytes} MB unpacked, into ${folder}`);
  const partial = `${folder}.partial-${process.pid}`;
  mkdirSync(partial, { recursive: true });
  try {
    writeFileSync(join(partial, "package.json"), '{ "private": true }\n');
    const [first, ...more] = spec.split(" ");
    const packages = isBundle ? more : [first, ...more];
    if (packages.length > 0) npm(spec, partial, ["install", ...INSTALL, ...packages]);
    if (isBundle) unpack(spec, partial, first, name);
    writeFileSync(join(partial, STAMP), spec);
    rmSync(folder, { recursive: true, force: true });
    renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  console.error(`  ${Math.round(sizeOf(folder) / 1e6)} MB installed`);
}

const INSTALL = ["--save-exact", "--ignore-scripts", "--engine-strict=false", "--no-audit", "--no-fund", "--loglevel=error"];

/** A package without what it depends on. */
function unpack(spec, folder, first, name) {
  const archive = npm(spec, folder, ["pack", "--silent", first]).trim().split("\n").at(-1);
  const place = join(folder, "node_modules", name);
  mkdirSync(place, { recursive: true });
  execFileSync("tar", ["-xzf", join(folder, archive), "-C", place, "--strip-components=1"]);
  rmSync(join(folder, archive));
}

function npm(spec, cwd, args) {
  const { status, stdout, stderr, error } = spawnSync("npm", args, { cwd, encoding: "utf8", shell: process.platform === "win32" });
  if (status === 0) return stdout;
  throw new Error(
    `Cannot download ${spec}: ${reasonOf(error?.message ?? stderr)}. It needs the npm registry once; try again when it can be reached.`,
  );
}

/** npm's first lines, without its prefix and without the registry's address. */
function reasonOf(text) {
  const lines = text.split("\n").map((line) => line.replace(/^npm (?:error|ERR!) ?/, "").trim());
  const telling = lines.filter((line) => line !== "" && !line.startsWith("A complete log"));
  return telling
    .slice(0, 2)
    .join(", ")
    .replace(/https?:\/\/\S+/g, "the registry")
    .replace(/\.$/, "");
}

function sizeOf(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
