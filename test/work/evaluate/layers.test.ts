import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { cloneTree, layOver, openManifest } from "../../../src/host/workspace/index.ts";
import { BIN, cleanUp, directory, harness, jsonLines } from "../../support/harness.ts";
import { eventually, LONG_MS } from "../../support/place.ts";

/** A large workspace of a trial is a layer over one tree, where the kernel allows it: not a copy, and nothing else differs. */

afterAll(() => {
  if (cloning !== undefined) spawnSync("sh", ["-c", 'umount "$0"', cloning]);
  cleanUp();
});

const hasWalls = process.platform === "linux" && spawnSync("bwrap", ["--ro-bind", "/", "/", "true"]).status === 0;
const hasLayers = hasWalls && (await canLayer());

async function canLayer(): Promise<boolean> {
  const folder = directory();
  for (const name of ["tree", "into"]) mkdirSync(join(folder, name));
  const layer = await layOver(join(folder, "tree"), join(folder, "into"), join(folder, "layer"));
  await layer?.close();
  return layer !== undefined;
}
if (!hasLayers) console.warn("No layers are tested: they need bubblewrap, root, and a kernel with overlays.");

const mounts = () => readFileSync("/proc/self/mountinfo", "utf8").split("\n");

function place() {
  const folder = directory();
  const at = (name: string) => join(folder, name);
  for (const name of ["tree", "home"]) mkdirSync(at(name));
  for (let part = 0; part < 30; part++) {
    mkdirSync(at(`tree/part-${part}`));
    for (let file = 0; file < 40; file++) writeFileSync(at(`tree/part-${part}/file-${file}.txt`), `${part}.${file}\n`);
  }
  writeFileSync(at("cases.jsonl"), `${JSON.stringify({ id: "a", input: "Go.", workspace: at("tree") })}\n`);
  const env = { XDG_DATA_HOME: at("data"), HOME: at("home") };
  return { folder, at, env };
}

const WORK =
  'echo new > added; echo more >> part-3/file-7.txt; rm -r part-4; mv part-5 moved; chmod 755 part-6/file-1.txt; ln -s added link; awk \'$2 == ENVIRON["PWD"] && $3 == "overlay" { found = 1 } END { print found + 0 }\' /proc/mounts';

test.runIf(hasLayers)(
  "the agent, the patch and the grader see the same as in a copy, and the tree is unchanged",
  { timeout: 4 * LONG_MS },
  async () => {
    const { at, env } = place();
    writeFileSync(at("agent.sh"), `'${process.execPath}' -e 'fs.renameSync("part-7", "renamed")' || exit 1; ${WORK}`);
    const seen = [];
    for (const level of ["files", "none"]) {
      const out = at(`${level}.jsonl`);
      const agent = ["--agent", "generic", "--isolate", level, "--command", `sh ${at("agent.sh")}`];
      const grader = `command:test -e added && test ! -e part-4 && test "$(cat part-3/file-7.txt)" = "$(printf '3.7\\nmore')" && find . | sort | sha256sum`;
      const { stderr } = await harness(["capture", at("cases.jsonl"), ...agent, "-g", grader, "-o", out], { env });
      const [line] = jsonLines(readFileSync(out, "utf8"));
      expect(line, stderr).toMatchObject({ status: "completed", score: { pass: true } });
      const [run] = (line?.["runs"] ?? []) as readonly string[];
      const kept = join(at("data/harness/runs"), String(run), "artifacts/workspace");
      const digest = (name: string) => openManifest(join(kept, name)).end.digest;
      seen.push({
        way: line?.["output"] === "1\n" ? "layer" : "copy",
        patch: readFileSync(join(kept, "diff.patch"), "utf8"),
        before: digest("before.jsonl"),
        after: digest("after.jsonl"),
      });
    }
    const [layer, copy] = seen;
    expect([layer?.way, copy?.way]).toEqual(["layer", "copy"]);
    expect(layer?.patch).toContain("+more");
    expect(layer?.after).toMatch(/^[0-9a-f]{64}$/);
    expect({ ...layer, way: "copy" }).toEqual(copy);
    expect(existsSync(at("tree/part-4/file-1.txt"))).toBe(true);
    expect(mounts().filter((line) => line.includes(at("data")))).toEqual([]);
  },
);

/** A program that calls itself Claude Code: it says how its workspace is mounted. */
function claude(file: string): string {
  const lines = [
    { type: "system", subtype: "init", session_id: "s" },
    { type: "result", subtype: "success", is_error: false, result: "%s", session_id: "s" },
  ].map((line) => `${JSON.stringify(line)}\\n`);
  const way = `awk '$2 == ENVIRON["PWD"] { way = $3 } END { print way == "" ? "none" : way }' /proc/mounts`;
  writeFileSync(file, `#!/bin/sh\n[ "$1" = --version ] && echo 2.1.0 && exit\nprintf '${lines.join("")}' "$(${way})"\n`, { mode: 0o755 });
  return file;
}

test.runIf(hasLayers)(
  "at the default level, too, but not for an agent that could reach the shared tree",
  { timeout: 4 * LONG_MS },
  async () => {
    const { at, env } = place();
    const agent = [
      "--agent",
      "claude",
      "--binary",
      claude(at("claude")),
      "--permissions",
      "default",
      "--env",
      "ANTHROPIC_API_KEY=dummy-key",
    ];
    const found = [];
    for (const more of [[], ["--home", "inherit"], ["--isolate", "process"]]) {
      const { stdout, stderr } = await harness(["capture", at("cases.jsonl"), ...agent, ...more], { env });
      const [line] = jsonLines(stdout);
      expect(line, stderr).toMatchObject({ status: "completed" });
      found.push([(line?.["isolation"] as { level?: string } | undefined)?.level, line?.["output"] === "overlay" ? "layer" : "copy"]);
    }
    expect(found).toEqual([
      ["files", "layer"],
      ["process", "copy"],
      ["process", "copy"],
    ]);
  },
);

/** A file system with clones, if this machine can make one. */
function clones(): string | undefined {
  const folder = directory();
  const [image, at] = [join(folder, "image"), join(folder, "mounted")];
  mkdirSync(at);
  const made = spawnSync("sh", ["-c", `truncate -s 256M "$0" && mkfs.btrfs -q "$0" && mount -o loop "$0" "$1"`, image, at]);
  return made.status === 0 ? at : undefined;
}

const cloning = process.getuid?.() === 0 && process.platform === "linux" ? clones() : undefined;
if (cloning === undefined) console.warn("No clones of files are tested: they need root, a loop device and mkfs.btrfs.");

test.runIf(cloning)("a file system with clones: a tree is cloned with modes, times and links", async () => {
  const at = (name: string) => join(cloning ?? "", name);
  mkdirSync(at("tree/sub"), { recursive: true });
  writeFileSync(at("tree/sub/tool"), "#!/bin/sh\n", { mode: 0o755 });
  utimesSync(at("tree/sub/tool"), 1_000_000, 1_000_000);
  symlinkSync("sub/tool", at("tree/link"));
  mkdirSync(at("into"));
  expect(await cloneTree(at("tree"), at("into"), at("tree/sub/tool"))).toBe(true);
  expect(statSync(at("into/sub/tool"))).toMatchObject({ mode: 0o100_755, mtimeMs: 1_000_000_000 });
  expect(readlinkSync(at("into/link"))).toBe("sub/tool");
  writeFileSync(at("into/sub/tool"), "changed");
  expect(readFileSync(at("tree/sub/tool"), "utf8")).toBe("#!/bin/sh\n");
  expect(existsSync(at("into.clone"))).toBe(false);
});

test("a file system without clones: nothing is made", async () => {
  const folder = directory();
  for (const name of ["tree", "into"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "tree", "file"), "text");
  const isCloned = await cloneTree(join(folder, "tree"), join(folder, "into"), join(folder, "tree", "file"));
  expect(readdirSync(join(folder, "into"))).toEqual(isCloned ? ["file"] : []);
  expect(readdirSync(folder).sort()).toEqual(["into", "tree"]);
});

test.runIf(hasLayers)("a killed evaluation leaves no mount", { timeout: 4 * LONG_MS }, async () => {
  const { at, env } = place();
  const args = ["capture", at("cases.jsonl"), "--agent", "generic", "--isolate", "files", "--command", "sleep 600", "-o", at("out.jsonl")];
  const child = spawn(process.execPath, [BIN, ...args], { env: { ...process.env, ...env }, stdio: "ignore" });
  const ours = () => mounts().filter((line) => line.includes(at("data")));
  await eventually(() => expect(ours()).toHaveLength(1), LONG_MS);
  child.kill("SIGKILL");
  await eventually(() => expect(ours()).toEqual([]), LONG_MS);
});

test.runIf(hasLayers)("the layer shows the files of a side, and not those that it leaves out", { timeout: 4 * LONG_MS }, async () => {
  const { at, env } = place();
  writeFileSync(at("rules.md"), "be kind\n");
  writeFileSync(at("agent.sh"), `cat AGENTS.md; ls -d part-3 part-4 2>/dev/null; ${WORK.slice(WORK.indexOf("awk"))}`);
  const side = { agent: "generic", command: `sh ${at("agent.sh")}`, isolation: "files" };
  const sides = [{ ...side, name: "ours", files: { "AGENTS.md": "rules.md" }, without: ["file:part-4"] }];
  writeFileSync(at("eval.json"), JSON.stringify({ cases: "cases.jsonl", sides }));
  const { stderr } = await harness(["evaluate", at("eval.json")], { env });
  const [line] = jsonLines(readFileSync(at("eval.results.jsonl"), "utf8")) as { trials: { output: string }[] }[];
  expect(line?.trials[0]?.output, stderr).toBe("be kind\npart-3\n1\n");
});
