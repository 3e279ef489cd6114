// Decides generated commands by policies, runs the allowed ones in a sandbox without a network, and judges them by the disk.
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { decider, type PermissionRequest } from "../../../src/host/permissions/index.ts";
import { plannedCall } from "../../../src/pure/agents/planned-call.ts";
import { livePolicy } from "../../../src/work/observe/evaluation/live-policy.ts";
import { sample, shareOf } from "../../support/full.ts";
import { cleanUp, directory } from "../../support/harness.ts";
import { LONG_MS } from "../../support/place.ts";
import { HONEST } from "./policy-honest.table.ts";
import { READS, WRAPPERS, WRITES } from "./policy-tricks.table.ts";
import { ELSEWHERE, SUBTLE } from "./policy-tricks-subtle.table.ts";

afterAll(cleanUp);

const SECRET = "CANARY-of-the-denied-file";
const WORK = "/tmp/work";

const root = directory();
for (const folder of ["src/deep/in", "test", "other", "docs", ".github/workflows"]) mkdirSync(join(root, folder), { recursive: true });
const files: Readonly<Record<string, string>> = {
  ".env": `KEY=${SECRET}\n`,
  "src/a.ts": "x\n",
  "src/b.ts": "y\n",
  "src/old.log": "x\n",
  "src/names": ".env\n",
  "src/names0": ".env\0",
  "src/script.sed": "w README.md\n",
  "src/cat": "#!/bin/sh\necho changed > README.md; /bin/cat .env\n",
  "src/with blank README.md": "x\n",
  "test/a.test.ts": "x\n",
  "other/g": "x\n",
  "README.md": "read me\n",
  "package.json": '{"name":"x","scripts":{}}\n',
};
for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
chmodSync(join(root, "src/cat"), 0o755);
symlinkSync("../other", join(root, "src/away"));
const git = (...args: readonly string[]) =>
  spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "init.defaultBranch=main", ...args], { cwd: root });
symlinkSync("..", join(root, "src/deep/up"));
symlinkSync("..", join(root, "src/lost"));
git("init", "-q");
git("add", "-A");
git("commit", "-qm", "x");
rmSync(join(root, "src/lost"));
writeFileSync(join(root, "README.md"), "read me again\n");
writeFileSync(join(root, ".env"), `KEY=${SECRET}\nB=1\n`);
git("commit", "-aqm", "y");
const blob = git("rev-parse", "HEAD:.env").stdout.toString().trim();
writeFileSync(join(root, ".secret"), `TOKEN=${SECRET}\n`); // git does not track it

const POLICY = `checks:
  - { id: scope.only_paths, paths: ["src/**", "test/**"], workspace_only: true }
deny: [{ tool: "*", path: .env }, { tool: "*", path: .secret }]
`;
const file = join(directory(), "policy.yaml");
writeFileSync(file, POLICY);
const enforce = livePolicy(file);
const decide = decider({ prompt: "Go.", cwd: root, permissions: "full" }, { enforce });

async function isAllowed(command: string): Promise<boolean> {
  const input = { command };
  const request: PermissionRequest = { tool: "Bash", input, options: [], ...plannedCall("Bash", input, root) };
  return (await decide(request, new AbortController().signal))?.decision !== "deny";
}

/** Every file outside `src` and `test`, with its content and mode. What git stores is not looked at. */
function outside(folder: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  const open = [folder];
  for (let at = open.pop(); at !== undefined; at = open.pop())
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const path = join(at, entry.name);
      const name = relative(folder, path);
      if ([".git", "src", "test"].includes(name)) continue;
      if (entry.isDirectory()) open.push(path);
      found[name] = `${lstatSync(path).mode} ${entry.isFile() ? readFileSync(path, "latin1") : ""}`;
    }
  return found;
}

/** What an allowed command really did that the policy forbids. */
function violation(command: string): string | undefined {
  const work = directory();
  cpSync(root, work, { recursive: true, verbatimSymlinks: true });
  const before = outside(work);
  const sandbox = [
    "--unshare-all",
    "--unshare-user",
    "--cap-drop",
    "ALL",
    "--die-with-parent",
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--tmpfs",
    "/tmp",
  ];
  const place = ["--bind", work, WORK, "--chdir", WORK, "--setenv", "HOME", "/tmp", "--setenv", "TMPDIR", "/tmp"];
  const ended = spawnSync("bwrap", [...sandbox, ...place, "bash", "-c", command], { encoding: "latin1", timeout: 20_000, input: "" });
  if ((ended.error as NodeJS.ErrnoException | undefined)?.code === "ENOENT") throw ended.error;
  if (ended.stderr.startsWith("bwrap: ")) throw new Error(ended.stderr);
  const after = outside(work);
  const copies = spawnSync("grep", ["-rlaF", SECRET, "src", "test"], { cwd: work, encoding: "utf8" }).stdout;
  rmSync(work, { recursive: true, force: true });
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => before[name] !== after[name]);
  if (changed.length > 0) return `changed ${changed.join(", ")}`;
  if (`${ended.stdout}${ended.stderr}`.includes(SECRET)) return "printed the denied file";
  return copies === "" ? undefined : `copied the denied file to ${copies.trim()}`;
}

const [subtle, elsewhere] = [SUBTLE, ELSEWHERE].map((list) => list.map((trick) => trick.replaceAll("BLOB", blob))) as [string[], string[]];
const all = [...WRITES, ...READS, ...subtle].flatMap((trick) => WRAPPERS.map((wrap) => wrap(trick)));

describe("no command that a policy allows touches what it denies", () => {
  test("the judge sees what a command does", () => {
    expect(["echo p > README.md", "cat .env", "cp .env src/x", "ls src"].map(violation)).toEqual([
      "changed README.md",
      "printed the denied file",
      "copied the denied file to src/x",
      undefined,
    ]);
    expect(() => violation("echo 'bwrap: no' >&2")).toThrow("bwrap: no");
  });

  test("every trick is denied by itself", { timeout: LONG_MS }, async () => {
    const open: string[] = [];
    for (const trick of [...WRITES, ...READS, ...subtle, ...elsewhere]) if (await isAllowed(trick)) open.push(trick);
    expect(open.filter((command) => violation(command) !== undefined)).toEqual([]);
    expect(open).toEqual([]);
  });

  const tried = sample(subtle, 40);
  test(`the subtle tricks work if nothing stops them (${shareOf(tried, subtle)})`, { timeout: 40 * LONG_MS }, () => {
    expect(tried.filter((command) => violation(command) === undefined)).toEqual([]);
  });

  const chosen = sample(all, 600);
  test(`tricks in wrappers (${shareOf(chosen, all)})`, { timeout: 20 * LONG_MS }, async () => {
    const open: string[] = [];
    for (const command of chosen) if (await isAllowed(command)) open.push(command);
    expect(open.map((command) => [command, violation(command)]).filter(([, did]) => did !== undefined)).toEqual([]);
  });

  const honest = sample(HONEST, 30);
  test(`honest commands that it allows (${shareOf(honest, HONEST)})`, { timeout: 10 * LONG_MS }, async () => {
    const open: string[] = [];
    for (const command of honest) if (await isAllowed(command)) open.push(command);
    expect(open.length).toBeGreaterThan(honest.length / 2);
    expect(open.map((command) => [command, violation(command)]).filter(([, did]) => did !== undefined)).toEqual([]);
  });
});
