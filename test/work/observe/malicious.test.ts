import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { entriesOf, openManifest } from "../../../src/host/workspace/manifest-file.ts";
import { malicious, maliciousRepository } from "../../host/workspace/malicious.ts";
import { seen } from "../../host/workspace/trees.ts";
import { inParallel, LONG_MS } from "../../support/place.ts";
import { cleanUpFolders, fileOf, folder, observe, script } from "./support.ts";

afterAll(cleanUpFolders);

describe("a malicious workspace, observed", () => {
  test("any repository: nothing runs, nothing is hidden", { timeout: 6 * LONG_MS }, async () => {
    await inParallel(3, Object.keys(malicious), async (name) => {
      const base = folder();
      const { ws, canary } = maliciousRepository(base, name);
      const observation = await observe({ workspace: ws, command: script(base, "echo two > file.txt") });
      expect(existsSync(canary), name).toBe(false);
      expect(observation.events).toHaveLength(9);
      const before = [...entriesOf(openManifest(join(observation.out, "artifacts/manifest_before.jsonl")))];
      expect(before.length, name).toBe(seen(ws).length);
      expect(fileOf(observation, "artifacts/fs_diff.patch"), name).toContain("-one\n+two\n");
    });
  });

  test("links, pipes, huge files and odd names from the agent: nothing is followed, nothing blocks, nothing is missed", {
    timeout: 2 * LONG_MS,
  }, async () => {
    const base = folder();
    const secret = join(base, "outside.txt");
    writeFileSync(secret, "canary of the outside\n");
    const deep = Array.from({ length: 40 }, () => "d".repeat(250)).join("/");
    const program = script(
      base,
      [
        `ln -s '${secret}' link; ln -s '${base}' hop; ln '${secret}' hard 2>/dev/null || true; rm -f hard`,
        "mkfifo pipe; ln -s /dev/zero endless; ln -s /proc/self proc",
        "truncate -s 100G sparse || true",
        `(d=.; i=0; while [ $i -lt 40 ]; do n=${"d".repeat(250)}; mkdir $n && cd -P $n; i=$((i+1)); done; echo deep > file)`,
        "printf x > \"$(printf 'not-\\377-text')\"",
        "echo 000 > closed; chmod 000 closed",
      ].join("\n"),
    );
    const observation = await observe({ command: program });
    expect(observation.events).toHaveLength(9);
    const entries = [...entriesOf(openManifest(join(observation.out, "artifacts/manifest_after.jsonl")))];
    const paths = new Map(entries.map((entry) => [entry.path, entry]));
    expect(paths.get("link")).toMatchObject({ type: "link", link: secret });
    expect(paths.get("pipe")).toMatchObject({ type: "fifo" });
    expect(paths.get("sparse")?.unread).toBe("file-budget");
    expect(paths.has("not-\udcff-text")).toBe(true);
    expect(paths.has("closed")).toBe(true);
    expect(paths.has(`${deep}/file`)).toBe(true);
    for (const name of readdirSync(join(observation.out, "artifacts")))
      expect(readFileSync(join(observation.out, "artifacts", name), "latin1")).not.toContain("canary of the outside");
  });

  test("an agent that replaces our artifacts folder with a link cannot redirect our writes", { timeout: LONG_MS }, async () => {
    const base = folder();
    const elsewhere = join(base, "elsewhere");
    mkdirSync(elsewhere);
    symlinkSync("nothing", join(elsewhere, "theirs"));
    const observation = await observe({ command: script(base, `ln -s '${elsewhere}' ../artifacts`) });
    expect(readdirSync(elsewhere)).toEqual(["theirs"]);
    expect(readdirSync(join(observation.out, "artifacts"))).toContain("fs_diff.patch");
  });

  test("an agent that replaces our folder with a link cannot prevent the seal", { timeout: LONG_MS }, async () => {
    const base = folder();
    const { out, manifest } = await observe({ command: script(base, "cd ..; p=$PWD; cd /; mv $p $p.x; ln -s $p.x $p") });
    expect(manifest.sealed?.status).toBe("completed");
    expect(existsSync(join(out, "seal.json"))).toBe(false);
  });

  test("the patch turns the state before into the state after", { timeout: LONG_MS }, async () => {
    const base = folder();
    const source = join(base, "source");
    mkdirSync(source);
    for (const name of ["a", "b", "gone"]) writeFileSync(join(source, name), `${name}\n`);
    const program = script(base, "echo more >> a; mv b moved; rm gone; printf '\\0\\1\\2' > binary; chmod +x moved; ln -s a link");
    const observation = await observe({ workspace: source, command: program });
    execFileSync("git", ["apply", join(observation.out, "artifacts/fs_diff.patch")], { cwd: source, env: { PATH: process.env["PATH"] } });
    expect(seen(source)).toEqual(seen(join(observation.out, "workspace")));
  });
});
