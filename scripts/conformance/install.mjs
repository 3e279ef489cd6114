// The pinned CLIs, installed once into the cache folder of the user, outside this package's dependencies; offline afterwards.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Its folder and its program. Says what it downloads; throws one sentence where it cannot. */
export function installed(id, agent) {
  const spec = `${agent.package}@${agent.version}`;
  const folder = join(cacheFolder(), `${id}-${agent.version}`);
  if (!existsSync(join(folder, STAMP)) || readFileSync(join(folder, STAMP), "utf8") !== spec) install(spec, folder, agent);
  const binary = agent.binary(folder);
  if (binary === undefined)
    throw new Error(`${spec} has no program for ${process.platform}-${process.arch}; run the corpus on another machine.`);
  return { folder, binary };
}

const STAMP = ".harness-complete";

function cacheFolder() {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "harness", "agents");
}

/** Into a folder beside it, which takes the name only when it is whole: an interrupted download leaves nothing that looks installed. */
function install(spec, folder, { megabytes }) {
  console.error(`▸ Downloading ${spec} by npm, about ${megabytes} MB unpacked, into ${folder}`);
  const partial = `${folder}.partial-${process.pid}`;
  mkdirSync(partial, { recursive: true });
  try {
    writeFileSync(join(partial, "package.json"), '{ "private": true }\n');
    const args = [
      "install",
      "--save-exact",
      "--ignore-scripts",
      "--engine-strict=false",
      "--no-audit",
      "--no-fund",
      "--loglevel=error",
      spec,
    ];
    const { status, stderr, error } = spawnSync("npm", args, { cwd: partial, encoding: "utf8", shell: process.platform === "win32" });
    if (status !== 0)
      throw new Error(
        `Cannot download ${spec}: ${reasonOf(error?.message ?? stderr)}. It needs the npm registry once; try again when it can be reached.`,
      );
    writeFileSync(join(partial, STAMP), spec);
    rmSync(folder, { recursive: true, force: true });
    renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  console.error(`  ${Math.round(sizeOf(folder) / 1e6)} MB installed`);
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
