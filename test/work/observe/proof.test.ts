import { spawnSync } from "node:child_process";
import { appendFileSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { TAR_END, tarHeader, tarPadding } from "../../../src/work/observe/tar.ts";
import { unpackBundle } from "../../../src/work/observe/write-bundle.ts";
import { cleanUp, eventually, jsonLines, LONG_MS, type Place, place } from "../../support/place.ts";
import { cleanUpFolders, folder, script } from "./support.ts";

afterAll(cleanUp);
afterAll(cleanUpFolders);

const hasSsh = spawnSync("ssh-keygen", ["-Y", "check-novalidate"], { stdio: "ignore" }).error === undefined;

/** Runs `harness observe` with a shell program and returns its observation. */
async function observed(
  where: Place,
  text: string,
  args: readonly string[] = [],
): Promise<{ out: string; code: number | null; stderr: string; stdout: string }> {
  const base = folder();
  const out = join(base, "out");
  const command = script(base, text);
  const { code, stderr, stdout } = await where.harness([
    "observe",
    "--agent",
    "generic",
    "--command",
    command,
    "--prompt",
    "Go.",
    "--out",
    out,
    ...args,
  ]);
  return { out, code, stderr, stdout };
}

async function verified(where: Place, target: string, args: readonly string[] = []) {
  const { code, stdout, stderr } = await where.harness(["verify", target, ...args]);
  return {
    code,
    stderr,
    ...(stdout === ""
      ? {}
      : (JSON.parse(stdout) as { ok: boolean; unchecked: string[]; flaws: { file: string; line?: number; problem: string }[] })),
  };
}

describe("harness observe and harness verify", () => {
  test("shows the nine events, its directory and its head; everything verifies", { timeout: 2 * LONG_MS }, async () => {
    const where = place();
    const { out, code, stdout, stderr } = await observed(where, "echo hi > file; echo Done.");
    const { manifest, id, sealed } = where.recording();
    expect(code).toBe(0);
    expect(readFileSync(join(out, "events.jsonl"), "utf8")).toBe(stdout);
    expect(stderr).toBe(`harness: observed as ${id} in ${out}; head ${sealed?.head}\n`);
    expect(JSON.parse(readFileSync(join(out, "seal.json"), "utf8"))).toMatchObject({
      run_id: id,
      head: sealed?.head,
      digest: manifest.digest,
    });
    for (const target of [out, join(out, "events.jsonl"), id])
      expect(await verified(where, target), target).toMatchObject({ code: 0, ok: true, unchecked: [] });
    const derived = await where.harness(["derive", id, "--view", "decision", "--json"]);
    expect(derived.stdout).toBe(stdout);
    expect(await verified(place(), out)).toMatchObject({ code: 0, ok: true, unchecked: [expect.stringContaining("recording")] });
  });

  test("a failed check gives exit code 1; an incomplete run gives its own code", { timeout: 2 * LONG_MS }, async () => {
    const where = place();
    const scenario = join(folder(), "s.yaml");
    writeFileSync(scenario, "request: Say something.\nconstraints: [style.no_emojis, output.json_only]\n");
    const command = script(folder(), "echo 'Done 🙂'");
    const args = ["observe", scenario, "--agent", "generic", "--command", command];
    const failed = await where.harness([...args, "--out", join(folder(), "out")]);
    expect(failed.code).toBe(1);
    const policy = jsonLines(failed.stdout)[7] as { evaluation: { policy: { status: string; violations: object[] } } };
    expect(policy.evaluation.policy.status).toBe("fail");
    expect(policy.evaluation.policy.violations).toMatchObject([{ id: "style.no_emojis", severity: "fail" }]);
    expect(await verified(where, "last")).toMatchObject({ code: 0, ok: true });
    expect((await observed(where, "exit 3")).code).toBe(1);
    expect((await observed(where, "sleep 60", ["--timeout", "300ms"])).code).toBe(124);
  });

  test.each([
    ["no scenario", ["observe", "/does/not/exist.md", "--agent", "generic", "--command", "true"], "exist.md"],
    ["both", ["observe", "x.md", "--prompt", "y", "--agent", "generic", "--command", "true"], "either a scenario or a prompt"],
    ["an unknown agent", ["observe", "--prompt", "y", "--agent", "clade"], "clade"],
    ["an unknown check", ["observe", "--prompt", "y", "--agent", "generic", "--command", "true", "--checks", "nonsense"], "nonsense"],
    [
      "an invalid key",
      ["observe", "--prompt", "y", "--agent", "generic", "--command", "true", "--sign", "/does/not/exist"],
      "/does/not/exist",
    ],
    ["a full directory", ["observe", "--prompt", "y", "--agent", "generic", "--command", "true", "--out", "/"], "--out"],
    [
      "a missing workspace",
      ["observe", "--prompt", "y", "--agent", "generic", "--command", "true", "--workspace", "/does/not/exist"],
      "Workspace not found: /does/not/exist",
    ],
    ["no name to wrap", ["observe", "--prompt", "y", "--agent", "generic", "--command", "true", "--wrap", ""], "names of programs"],
    ["a path to wrap", ["observe", "--prompt", "y", "--agent", "generic", "--command", "true", "--wrap", "ls,../ls"], 'Found "../ls"'],
    [
      "a check that needs more than its name",
      ["observe", "--prompt", "y", "--agent", "generic", "--command", "true", "--checks", "scope.only_paths"],
      "needs paths",
    ],
    ["nothing to verify", ["verify", "nowhere"], "nowhere"],
  ])("%s is rejected before anything runs", { timeout: LONG_MS }, async (_, args, message) => {
    const where = place();
    const cwd = folder();
    const { code, stdout, stderr } = await where.harness(args, { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(where.recordings()).toEqual([]);
    expect(readdirSync(cwd).filter((name) => name !== "runs")).toEqual([]);
  });

  test("names the first changed line", { timeout: 4 * LONG_MS }, async () => {
    const where = place();
    const { out } = await observed(where, "echo hi > file; echo Done.");
    const events = join(out, "events.jsonl");
    const good = readFileSync(events, "utf8");
    const lines = good.split("\n");
    const damages: readonly (readonly [string, () => void, object])[] = [
      [
        "a changed event",
        () => writeFileSync(events, good.replace("3 paths", "0 paths").replace("exit_code=0", "exit_code=1")),
        { file: "events.jsonl" },
      ],
      [
        "two swapped lines",
        () => writeFileSync(events, [lines[1], lines[0], ...lines.slice(2)].join("\n")),
        { file: "events.jsonl", line: 1 },
      ],
      [
        "a missing line",
        () => writeFileSync(events, [...lines.slice(0, 4), ...lines.slice(5)].join("\n")),
        { file: "events.jsonl", line: 5 },
      ],
      ["an extra line", () => appendFileSync(events, `${lines[8]}\n`), { file: "events.jsonl", line: 10 }],
      ["half a line", () => writeFileSync(events, good.slice(0, -20)), { file: "events.jsonl", line: 9 }],
      ["changed evidence", () => appendFileSync(join(out, "artifacts/fs_diff.patch"), "x"), { file: "events.jsonl", line: 6 }],
      ["missing evidence", () => rmSync(join(out, "artifacts/agent_stdout.txt")), { file: "events.jsonl", line: 5 }],
      [
        "changed metadata",
        () => writeFileSync(join(out, "metadata.json"), readFileSync(join(out, "metadata.json"), "utf8").replace("local", "prod")),
        { file: "events.jsonl", line: 1 },
      ],
      ["no seal", () => rmSync(join(out, "seal.json")), { file: "seal.json" }],
      [
        "a changed recording",
        () => appendFileSync(join(where.recording().directory, "artifacts/fs_diff.patch"), "x"),
        { file: "artifacts/fs_diff.patch" },
      ],
    ];
    const kept = copyAside([out, where.recording().directory]);
    for (const [name, damage, flaw] of damages) {
      damage();
      const { code, flaws } = await verified(where, out);
      expect(code, name).toBe(1);
      expect(flaws?.[0], name).toMatchObject(flaw);
      kept.restore();
    }
    expect(await verified(where, out)).toMatchObject({ code: 0, ok: true });
  });

  test.each([
    ["while the agent runs", '"agent_invoked"', "sleep 30", { exitCode: null, status: "crashed" }],
    ["between the agent's end and the seal", '"agent_completed"', "", { exitCode: 0, status: "completed" }],
    ["in an earlier version that recorded no views", '"agent_completed"', "", { exitCode: 0, status: "completed" }, nothingNamed],
  ])(
    "killed %s: the next to look completes it, nine events and all",
    { timeout: 4 * LONG_MS },
    async (_, moment, last, sealed, age?: (path: string) => void) => {
      const where = place();
      const base = folder();
      const [source, out] = [join(base, "source"), join(base, "out")];
      mkdirSync(source);
      for (let i = 0; i < 400; i++) writeFileSync(join(source, `f${i}`), "x".repeat(20_000));
      const command = script(base, `echo two > f1; echo Done.\n${last}`);
      const args = ["--agent", "generic", "--command", command, "--prompt", "Go.", "--out", out, "--workspace", source, "--wrap", "cat"];
      const started = where.start(["observe", ...args]);
      await started.printed(moment); // the next step takes a while
      const raw = () => readFileSync(join(where.recording().directory, "raw.jsonl"), "utf8");
      if (last !== "") await eventually(() => expect(raw()).toBe("Done.\n"), LONG_MS); // the agent is invoked, but may not have begun
      started.child.kill("SIGKILL");
      await started.done;
      age?.(join(where.recording().directory, "run.json"));
      const { code, flaws } = await verified(where, out);
      expect({ code, flaws }).toEqual({ code: 0, flaws: [] });
      expect(jsonLines(readFileSync(join(out, "events.jsonl"), "utf8"))).toHaveLength(9);
      expect(where.recording().sealed).toMatchObject(sealed);
      for (const left of [join(where.recording().directory, ".contents"), join(out, ".commands")]) expect(existsSync(left)).toBe(false);
      // T4: what the bytes on disk show is in the events
      const [, , , , captured, diff] = jsonLines(readFileSync(join(out, "events.jsonl"), "utf8")) as {
        agent_action: { artifacts: { id: string; content_ref: string | null; metadata: { changed_paths?: object[] } }[] };
      }[];
      expect(captured?.agent_action.artifacts.map(({ content_ref }) => content_ref)).toEqual([
        "artifacts/agent_stdout.txt",
        "artifacts/agent_stderr.txt",
      ]);
      expect(readFileSync(join(out, "artifacts/agent_stdout.txt"), "utf8")).toBe("Done.\n");
      expect(diff?.agent_action.artifacts[0]?.metadata.changed_paths).toEqual([{ kind: "modified", path: "f1" }]);
      expect(readFileSync(join(out, "artifacts/fs_diff.patch"), "utf8")).toContain("+two\n");
      expect(await verified(place(), out)).toMatchObject({ code: 0, flaws: [], compliance: { minimal: true } });
    },
  );
});

function nothingNamed(path: string): void {
  const { observed, ...rest } = JSON.parse(readFileSync(path, "utf8"));
  expect(observed.views).toEqual({ "events.jsonl": "decision" });
  writeFileSync(path, JSON.stringify({ ...rest, observed: { out: observed.out } }));
}

test("killed before it masked its files: the process that completes it does", { timeout: 4 * LONG_MS }, async () => {
  const where = place();
  const base = folder();
  const out = join(base, "out");
  const args = ["--agent", "generic", "--command", script(base, "sleep 30"), "--prompt", "Go.", "--out", out, "--empty"];
  const started = where.start(["observe", ...args], { env: { CANARY_API_KEY: "canary-value-0451" } });
  await started.printed('"agent_invoked"');
  started.child.kill("SIGKILL");
  await started.done;
  const log = join(where.recording().directory, "artifacts/command_logs.jsonl");
  writeFileSync(log, '{"argv":["curl","canary-value-0451"]}\n', { mode: 0o600 });
  expect(await verified(where, out)).toMatchObject({ code: 0, flaws: [] });
  for (const path of [log, join(out, "artifacts/command_logs.jsonl")]) {
    expect(readFileSync(path, "utf8")).toContain("curl");
    expect(readFileSync(path, "utf8")).not.toContain("canary-value");
  }
});

describe("proof for others", () => {
  test("a bundle can be verified without anything else; the same run gives the same bytes", { timeout: 4 * LONG_MS }, async () => {
    const where = place();
    await observed(where, "echo hi > file");
    const [a, b] = [join(folder(), "a.tar"), join(folder(), "b.tar")];
    for (const to of [a, b]) expect((await where.harness(["bundle", "last", "--output", to])).stdout).toBe(`${to}\n`);
    expect(readFileSync(a).equals(readFileSync(b))).toBe(true);
    expect(spawnSync("tar", ["-tf", a], { encoding: "utf8" }).stdout).toContain("out/artifacts/fs_diff.patch\n");
    expect(await verified(place(), a)).toMatchObject({ code: 0, ok: true, unchecked: [] });
    const bytes = readFileSync(a);
    const at = bytes.indexOf("hi\n");
    bytes[at] = 0x48;
    writeFileSync(b, bytes);
    expect(await verified(place(), b)).toMatchObject({ code: 1, ok: false });
    const again = await where.harness(["bundle", "last", "--output", a]);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("--force") }); // it overwrites nothing unasked
  });

  test.each([
    ["a way out", [["../evil", "x"]]],
    ["an absolute path", [["/tmp/evil", "x"]]],
    ["an unknown name", [["run/sub/dir/evil", "x"]]],
    [
      "a repeated name",
      [
        ["run/run.json", "{}"],
        ["run/run.json", "{}"],
      ],
    ],
  ] as const)("a bundle with %s is rejected", (_, files) => {
    const path = join(folder(), "evil.tar");
    const blocks = files.flatMap(([name, text]) => [tarHeader({ name, size: text.length }), Buffer.from(text), tarPadding(text.length)]);
    writeFileSync(path, Buffer.concat([...blocks, TAR_END]));
    expect(unpackBundle(path, folder()).flaw?.problem).toMatch(/does not belong in it|appears twice/);
  });

  test("a bundle with a link, a device, a damaged header or half a file is rejected", () => {
    for (const type of ["1", "2", "3", "4", "5", "6", "x", "g", "L"]) {
      const header = tarHeader({ name: "run/run.json", size: 0 });
      header.write(type, 156);
      header.write("        ", 148);
      header.write(
        `${[...header]
          .reduce((sum, byte) => sum + byte, 0)
          .toString(8)
          .padStart(6, "0")}\0 `,
        148,
      );
      const path = join(folder(), "evil.tar");
      writeFileSync(path, Buffer.concat([header, TAR_END]));
      expect(unpackBundle(path, folder()).flaw, type).toEqual({ offset: 0, problem: expect.stringContaining("a regular file") });
    }
    const short = join(folder(), "short.tar");
    writeFileSync(short, tarHeader({ name: "run/run.json", size: 1000 }));
    expect(unpackBundle(short, folder()).flaw).toEqual({ offset: 0, problem: "it ends in the middle of a file" });
  });

  test.runIf(hasSsh)("signed by a key, and checked against those who may", { timeout: 4 * LONG_MS }, async () => {
    const where = place();
    const keys = folder();
    for (const name of ["mine", "other"]) spawnSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", join(keys, name)]);
    const signers = (name: string) => {
      const path = join(keys, `${name}.signers`);
      writeFileSync(path, `${name}@example.org ${readFileSync(join(keys, `${name}.pub`), "utf8")}`);
      return path;
    };
    const { out, code } = await observed(where, "echo hi", ["--sign", join(keys, "mine")]);
    expect(code).toBe(0);
    expect(await verified(where, out)).toMatchObject({ ok: true, unchecked: [expect.stringContaining("signature")] });
    expect(await verified(where, out, ["--allowed-signers", signers("mine")])).toMatchObject({
      code: 0,
      ok: true,
      signer: "mine@example.org",
    });
    expect(await verified(where, out, ["--allowed-signers", signers("other")])).toMatchObject({
      code: 1,
      flaws: ["seal.json", "run.json"].map((file) => ({ file, problem: "none of the allowed signers signed it" })),
    });
    const named = ["verify", out, "--allowed-signers", "mine.signers"];
    expect((await where.harness(named, { cwd: keys })).code).toBe(0); // by a path relative to the current directory
    expect(await where.harness(["verify", out, "--allowed-signers", "nowhere"])).toMatchObject({ code: 2, stdout: "" });
    const relative = ["observe", "--agent", "generic", "--command", "true", "--prompt", "Go.", "--sign", "mine", "--out", "observed"];
    expect((await where.harness(relative, { cwd: keys })).code).toBe(0);
    expect((await where.harness(["verify", "observed", "--allowed-signers", "mine.signers"], { cwd: keys })).code).toBe(0);
    const bundle = join(folder(), "b.tar");
    await where.harness(["bundle", "last", "--output", bundle]);
    expect(await verified(place(), bundle, ["--allowed-signers", signers("mine")])).toMatchObject({
      code: 0,
      ok: true,
      signer: "mine@example.org",
    });
    const seal = join(out, "seal.json");
    writeFileSync(seal, readFileSync(seal, "utf8").replace('"records"', '"records" '));
    expect(await verified(where, out, ["--allowed-signers", signers("mine")])).toMatchObject({
      code: 1,
      flaws: [
        { file: "seal.json", problem: "it is not the seal of an observation" },
        { file: "seal.json", problem: expect.stringContaining("signature is damaged") },
      ],
    });
    const unsigned = await observed(where, "echo hi");
    expect(await verified(where, unsigned.out, ["--allowed-signers", signers("mine")])).toMatchObject({
      code: 1,
      flaws: [{ problem: "it is not signed" }],
    });
  });
});

/** Backs up the files of these directories. */
function copyAside(roots: readonly string[]): { restore: () => void } {
  const files = roots.flatMap((root) =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const aside = folder();
  for (const [index, path] of files.entries()) copyFileSync(path, join(aside, String(index)));
  return {
    restore() {
      for (const [index, path] of files.entries()) {
        mkdirSync(dirname(path), { recursive: true });
        copyFileSync(join(aside, String(index)), path);
      }
    },
  };
}
