// `npm run release -- --dry-run`: is this tree ready to be released? It checks and changes nothing. `--tag` also creates the git tag,
// `--publish` the tag and the package on npm. `--skip-tests` leaves `npm test` out, and can neither tag nor publish.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { changelogProblems, packProblems, treeProblems, versionProblems } from "./release/problems.mjs";
import { optionsOf, root } from "./setup.mjs";

const values = optionsOf("release", {
  "dry-run": { type: "boolean" },
  tag: { type: "boolean" },
  publish: { type: "boolean" },
  "skip-tests": { type: "boolean" },
});
const changes = values.publish || values.tag;
if (changes && (values["dry-run"] || values["skip-tests"])) stop("--tag and --publish need all checks: drop --dry-run and --skip-tests.");
if (!changes && !values["dry-run"]) stop("say what to do: --dry-run, --tag or --publish. Nothing was changed.");

const read = (file) => readFileSync(join(root, file), "utf8");
const { name, version } = JSON.parse(read("package.json"));
const tag = `v${version}`;
console.error(`Release ${name} ${version}`);
const failed = [
  check("The tree is clean and the tag is new", () => treeProblems(git("status", "--porcelain"), git("tag", "--list"), tag)),
  check("The version is the same everywhere", () => versionProblems(version, JSON.parse(read("package-lock.json")))),
  check("The changelog describes it", () => changelogProblems(read("CHANGELOG.md"), version)),
  values["skip-tests"] ? skipped("Tests (npm test)") : check("Tests (npm test)", () => problemsOf("npm", ["test"], "inherit")),
  check("Build (npm run build)", () => problemsOf(process.execPath, ["scripts/build.mjs"])),
  check("The program reports this version", () => {
    const printed = execFileSync(process.execPath, ["dist/cli/harness.js", "--version"], { cwd: root, encoding: "utf8" });
    return printed.includes(version) ? [] : [`harness --version prints ${printed.trim()}; package.json says ${version}.`];
  }),
  check("The package has the right files (npm pack)", () => {
    const [packed] = JSON.parse(execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: root, encoding: "utf8" }));
    console.error(
      `  ${packed.files.length} files, ${(packed.size / 1e6).toFixed(1)} MB packed, ${(packed.unpackedSize / 1e6).toFixed(1)} MB unpacked`,
    );
    return packProblems(packed.files.map(({ path }) => path));
  }),
].filter((isGood) => !isGood).length;

if (failed > 0) stop(`${failed} of 7 checks failed; nothing was changed.`);
if (!changes) {
  console.error(
    `Ready${values["skip-tests"] ? ", as far as it was checked" : ""}. Nothing was changed; --tag creates ${tag}, --publish publishes it too.`,
  );
} else {
  git("tag", "--annotate", tag, "--message", `${name} ${version}`);
  console.error(`Created the tag ${tag}. Push it with: git push origin ${tag}`);
  if (values.publish) execFileSync("npm", ["publish"], { cwd: root, stdio: "inherit" });
}

function check(title, problems) {
  let found;
  try {
    found = problems();
  } catch (error) {
    found = [error.message];
  }
  console.error(`${found.length === 0 ? "✓" : "✗"} ${title}`);
  for (const problem of found) console.error(`  ${problem}`);
  return found.length === 0;
}

function skipped(title) {
  console.error(`– ${title}: skipped`);
  return true;
}

function problemsOf(command, args, stdio = "pipe") {
  const { status, stderr } = spawnSync(command, args, { cwd: root, stdio: ["ignore", stdio, stdio], encoding: "utf8" });
  return status === 0 ? [] : [`${[command, ...args].join(" ")} ended with code ${status}. ${stderr ?? ""}`.trim()];
}

function git(...args) {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" });
}

function stop(message) {
  console.error(`release: ${message}`);
  process.exit(1);
}
