import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { copyTree } from "../../../src/host/workspace/copy-tree.ts";
import { fetchTemplate as fetchInto } from "../../../src/host/workspace/fetch-template.ts";
import { templateSource } from "../../../src/host/workspace/template-source.ts";
import { seen, sorted, temporary } from "./trees.ts";

const env = { PATH: process.env["PATH"], HOME: "/nowhere", GIT_CONFIG_NOSYSTEM: "1" };
function git(cwd: string, ...args: string[]): string {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main"];
  return execFileSync("git", [...identity, ...args], { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
}

/** Each into a new directory. */
const fetchTemplate = (text: string, cache: string) => fetchInto(text, cache, join(temporary(), "checkout"));

function repository(base: string): { path: string; first: string; second: string } {
  const path = join(base, "repo");
  mkdirSync(join(path, "src"), { recursive: true });
  git(path, "init", "-q");
  writeFileSync(join(path, "src/main.txt"), "one\n");
  writeFileSync(join(path, "run.sh"), "#!/bin/sh\n", { mode: 0o755 });
  symlinkSync("/etc/passwd", join(path, "link"));
  git(path, "add", "-A");
  git(path, "commit", "-qm", "one");
  git(path, "tag", "-a", "-m", "v1", "v1");
  const first = git(path, "rev-parse", "HEAD");
  writeFileSync(join(path, "solution.txt"), "the answer\n");
  git(path, "add", "-A");
  git(path, "commit", "-qm", "two");
  return { path, first, second: git(path, "rev-parse", "HEAD") };
}

function damage(objects: string): void {
  for (const entry of readdirSync(objects, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    chmodSync(file, 0o600);
    writeFileSync(file, "not an object");
  }
}

function evil(at: string): void {
  writeFileSync(join(at, "evil.sh"), `#!/bin/sh\ntouch '${join(at, "../../../canary")}'\ncat\n`, { mode: 0o755 });
  for (const name of ["core.fsmonitor", "uploadpack.packObjectsHook"]) git(at, "config", name, join(at, "evil.sh"));
}

function link(at: string): void {
  const other = temporary();
  writeFileSync(join(other, "solved"), "");
  rmSync(at, { recursive: true });
  symlinkSync(other, at);
}

describe("a template", () => {
  test("has the files of its commit, with that commit's history and nothing later", async () => {
    const base = temporary();
    const { path, first, second } = repository(base);
    const cache = join(base, "cache");
    const template = await fetchTemplate(`${path}@v1`, cache);
    expect(template.commit).toBe(first);
    expect(readdirSync(template.path).sort()).toEqual([".git", "link", "run.sh", "src"]);
    expect((await fetchTemplate(`${path}@${first}`, cache)).commit).toBe(first);
    expect((await fetchTemplate(`file://${path}@main`, cache)).commit).toBe(second);
    expect((await fetchTemplate(`file://${path}`, cache)).commit).toBe(second);

    const { notMade } = await copyTree(template.path, join(base, "ws"));
    expect(notMade).toEqual([]);
    expect(sorted(seen(join(base, "ws")))).toEqual(sorted(seen(template.path)));
    expect(git(join(base, "ws"), "log", "--all", "--format=%s")).toBe("one");
    expect(git(join(base, "ws"), "status", "--porcelain")).toBe("");
    expect(git(join(base, "ws"), "rev-parse", "--abbrev-ref", "HEAD")).toBe("main");
    expect(() => git(join(base, "ws"), "cat-file", "-e", second)).toThrow();
    expect(readFileSync(join(base, "ws/.git/config"), "utf8")).not.toContain("remote");
    expect(readdirSync(cache).length).toBe(1);
  });

  test.each([
    ["a file", (at: string) => writeFileSync(join(at, "solved"), "")],
    ["a changed file", (at: string) => writeFileSync(join(at, "src/main.txt"), "other\n")],
    ["a different commit", (at: string) => void git(at, "-c", "commit.gpgSign=false", "commit", "-q", "--allow-empty", "-m", "other")],
    ["a missing repository", (at: string) => rmSync(join(at, ".git"), { recursive: true })],
    ["damaged objects", (at: string) => damage(join(at, ".git/objects"))],
    ["a filter with a program", (at: string) => evil(at)],
    ["a link in its place", (at: string) => link(at)],
  ])("comes from its commit, not from a cache with %s", async (_, poison) => {
    const base = temporary();
    const { path, first } = repository(base);
    const cache = join(base, "cache");
    const { path: clean } = await fetchTemplate(`${path}@${first}`, cache);
    const [place = ""] = readdirSync(cache);
    poison(join(cache, place, first));
    const again = await fetchTemplate(`${path}@${first}`, cache);
    const files = (at: string) => sorted(seen(at)).filter((line) => !line.startsWith('".git/index'));
    expect(files(again.path)).toEqual(files(clean));
    expect(git(again.path, "status", "--porcelain")).toBe("");
    expect(git(again.path, "rev-parse", "HEAD")).toBe(first);
    expect(existsSync(join(base, "canary"))).toBe(false);
  });

  test("runs nothing from the repository", async () => {
    const base = temporary();
    const { path } = repository(base);
    const canary = join(base, "canary");
    const payload = join(base, "payload.sh");
    writeFileSync(payload, `#!/bin/sh\ntouch '${canary}'\ncat\n`, { mode: 0o755 });
    writeFileSync(join(path, ".gitattributes"), "* filter=evil diff=evil\n");
    writeFileSync(join(path, ".gitmodules"), `[submodule "x"]\n\tpath = x\n\turl = ext::${payload}\n`);
    git(path, "add", "-A");
    git(path, "update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},x`);
    git(path, "commit", "-qm", "evil");
    for (const name of ["filter.evil.smudge", "filter.evil.clean", "core.fsmonitor", "uploadpack.packObjectsHook"])
      git(path, "config", name, payload);
    for (const name of ["post-checkout", "reference-transaction", "post-update"]) {
      writeFileSync(join(path, ".git/hooks", name), `#!/bin/sh\n${payload}\n`);
      chmodSync(join(path, ".git/hooks", name), 0o755);
    }
    const template = await fetchTemplate(`${path}@main`, join(base, "cache"));
    expect(existsSync(canary)).toBe(false);
    expect(existsSync(join(template.path, ".git/hooks"))).toBe(false);
    expect(readFileSync(join(template.path, "solution.txt"), "utf8")).toBe("the answer\n");
  });

  test("is used directly if it is a folder", async () => {
    const base = temporary();
    mkdirSync(join(base, "me@work"));
    expect(await fetchTemplate(join(base, "me@work"), join(base, "cache"))).toEqual({ path: join(base, "me@work") });
    expect(existsSync(join(base, "cache"))).toBe(false);
  });

  test("that is not available: one sentence, with a remedy, without a password", async () => {
    const base = temporary();
    const { path } = repository(base);
    const cache = join(base, "cache");
    await expect(fetchTemplate(`${path}@nowhere`, cache)).rejects.toThrow(/cannot be fetched: .*\. Check the name and the ref/);
    await expect(fetchTemplate(join(base, "gone@v1"), cache)).rejects.toThrow(/Template not found: .*\. Pass a folder/);
    await expect(fetchTemplate("ext::sh -c id@v1", cache)).rejects.toThrow(/not ext::sh -c id.*\. Clone it and pass the folder/);
    await expect(fetchTemplate("git@host:me/repo@v1", cache)).rejects.toThrow(/Clone it and pass the folder/);
    await expect(fetchTemplate("ssh://host/repo@v1", cache)).rejects.toThrow(/Clone it/);
    await expect(fetchTemplate(`${path}@--upload-pack=x`, cache)).rejects.toThrow(/does not name a branch/);
    await expect(fetchTemplate("https://me:hunter2@127.0.0.1:9/repo@v1", cache)).rejects.toThrow(/^(?!.*hunter2).*cannot be fetched/s);
    expect(readdirSync(cache).flatMap((name) => readdirSync(join(cache, name)))).toEqual([]);
  });
});

test("accepts sources as people write them", () => {
  expect(templateSource("https://me@host/a/b@feature/x")).toEqual({
    url: "https://me@host/a/b",
    ref: "feature/x",
    protocol: "https",
    shown: "https://host/a/b",
  });
  expect(templateSource("https://host:8080/a/b.git@v1.2")).toMatchObject({ url: "https://host:8080/a/b.git", ref: "v1.2" });
  expect(templateSource("https://host/a")).toMatchObject({ url: "https://host/a", ref: "HEAD" });
});
