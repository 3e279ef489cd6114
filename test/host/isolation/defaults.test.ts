import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { bubblewrap } from "../../../src/host/isolation/tools.ts";
import { flawsOf, isolationText } from "../../../src/pure/isolation/index.ts";
import { claudeSays, jsonLines } from "../../support/harness.ts";
import { cleanUp, LONG_MS, place } from "../../support/place.ts";

const made = mkdtempSync(join(tmpdir(), "harness-defaults-"));
afterAll(() => {
  cleanUp();
  rmSync(made, { recursive: true, force: true });
});

const hasWalls = works();

function works(): boolean {
  try {
    return bubblewrap(process.env["PATH"]).version !== "";
  } catch {
    return false;
  }
}

function program(name: string, script: string): string {
  const file = join(mkdtempSync(join(made, "bin-")), name);
  writeFileSync(file, script);
  chmodSync(file, 0o755);
  return file;
}

/** A program that calls itself Claude Code: it prints what it sees of a file outside. */
function claude(secret: string): string {
  const says = claudeSays("TEXT").replaceAll("'", "'\\''");
  return program("claude", `#!/bin/sh\nseen=$(cat ${secret} 2>/dev/null || echo nothing)\nprintf '%s' '${says}' | sed "s/TEXT/$seen/"\n`);
}

function canary(): string {
  const file = join(mkdtempSync(join(made, "secret-")), "canary");
  writeFileSync(file, "canary");
  return file;
}

function cases(): string {
  const file = join(mkdtempSync(join(made, "cases-")), "cases.jsonl");
  writeFileSync(file, `${JSON.stringify({ id: "one", input: "Go." })}\n`);
  return file;
}

/** A PATH with everything but bubblewrap. */
function withoutBwrap(instead?: string): string {
  const folder = mkdtempSync(join(made, "path-"));
  for (const name of ["sh", "cat", "sed", "node", "true", "grep"]) {
    const found = spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim();
    if (found.startsWith("/")) symlinkSync(found, join(folder, name));
  }
  if (instead !== undefined) symlinkSync(instead, join(folder, "bwrap"));
  return folder;
}

describe.runIf(hasWalls)("without a request", { timeout: 4 * LONG_MS }, () => {
  test("a run has its own processes and temporary files", async () => {
    const here = place();
    const script = program("agent", '#!/bin/sh\nls /proc | grep -c "^[0-9]"\necho "$TMPDIR"\n');
    await here.run(["--agent", "generic", "--command", script]);
    const { manifest, raw } = here.recording();
    const [processes, tmp = ""] = raw.trim().split("\n");
    expect(Number(processes)).toBeLessThan(8);
    expect(tmp).toContain("harness-walls-");
    expect(existsSync(tmp)).toBe(false);
    expect(manifest.isolation).toMatchObject({ level: "process", tool: "bubblewrap", network: "open", verified: true });
    expect(manifest.isolation).not.toHaveProperty("asked");
    expect(manifest.isolation).not.toHaveProperty("unavailable");
  });

  test.each(["capture", "trials"])("%s: an agent that harness knows sees only its workspace, and the result says so", async (name) => {
    const here = place();
    const secret = canary();
    const done = await here.harness([
      name,
      cases(),
      "--agent",
      "claude",
      "--binary",
      claude(secret),
      "--no-check",
      ...(name === "trials" ? ["-k", "1"] : []),
    ]);
    expect(done.stderr).not.toContain("harness: ");
    expect(here.recording().raw).toContain("nothing");
    expect(here.recording().manifest.isolation).toMatchObject({ level: "files", verified: true });
    const [row] = jsonLines(done.stdout);
    const walls = name === "capture" ? row?.["isolation"] : (row?.["trials"] as { isolation?: object }[] | undefined)?.[0]?.isolation;
    const workspace = here.recording().manifest.cwd;
    expect(walls).toMatchObject({ level: "files", tool: "bubblewrap", verified: true, writable: expect.arrayContaining([workspace]) });
  });

  test("capture: the files of a user's own command are not known, so it has one level less, and the run says why", async () => {
    const here = place();
    await here.harness(["capture", cases(), "--agent", "generic", "--command", program("agent", "#!/bin/sh\necho done\n")]);
    const { manifest, raw } = here.recording();
    expect(raw).toBe("done\n");
    expect(manifest.isolation).toMatchObject({ level: "process", verified: true, unavailable: [{ level: "files" }] });
  });

  test("a machine that can build only some walls builds those, and the run says why", async () => {
    const here = place();
    const { path } = bubblewrap(process.env["PATH"]);
    const half = program("bwrap", `#!/bin/sh\ncase "$*" in *--cap-drop*) echo "bwrap: no" >&2; exit 1;; esac\nexec ${path} "$@"\n`);
    const PATH = withoutBwrap(half);
    const secret = canary();
    await here.harness(["capture", cases(), "--agent", "claude", "--binary", claude(secret), "--no-check"], { env: { PATH } });
    const { manifest, raw } = here.recording();
    expect(raw).toContain("canary");
    expect(manifest.isolation).toMatchObject({
      level: "process",
      verified: true,
      unavailable: [{ level: "files", why: expect.any(String) }],
    });
  });

  test("limits are part of what the run says about its walls", async () => {
    const here = place();
    await here.run(["--agent", "generic", "--limit", "memory=1g,file=10m", "--command", "true"]);
    expect(here.recording().manifest.isolation).toMatchObject({
      level: "process",
      limits: { memory: { limit: 2 ** 30, by: expect.any(String) }, file: { limit: 10 * 2 ** 20, by: "rlimit" } },
    });
  });

  test("`verify` notices a level that is not what was asked for", async () => {
    const here = place();
    await here.run(["--agent", "generic", "--isolate", "files", "--command", "true"]);
    const { isolation } = here.recording().manifest;
    if (isolation === undefined) throw new Error("no walls");
    expect(flawsOf(isolation)).toEqual([]);
    expect(flawsOf({ ...isolation, level: "process" })).toEqual(["files was asked for"]);
  });
});

describe("a machine without bubblewrap", { timeout: 4 * LONG_MS }, () => {
  test("runs without walls, and the run says what to install", async () => {
    const here = place();
    const env = { PATH: withoutBwrap() };
    const done = await here.run(["--agent", "generic", "--command", "/bin/true"], { env });
    expect(done).toMatchObject({ code: 0, stderr: "" });
    const { isolation } = here.recording().manifest;
    expect(isolation).toMatchObject({ level: "none", verified: false, unavailable: [{ level: "process" }] });
    expect(isolation?.unavailable?.[0]?.why).toContain("apt-get install bubblewrap");
    if (isolation !== undefined) expect(isolationText(isolation)).toContain("process is not available: Bubblewrap (bwrap) was not found");
  });

  test("evaluates without walls too, unless a level is required", async () => {
    const here = place();
    const env = { PATH: withoutBwrap() };
    const args = ["capture", cases(), "--agent", "claude", "--binary", claude(canary()), "--no-check"];
    const done = await here.harness(args, { env });
    expect(jsonLines(done.stdout)[0]).toMatchObject({ isolation: { level: "none", verified: false } });
    const refused = await here.harness([...args, "--require-isolation", "process"], { env });
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("apt-get install bubblewrap");
  });
});
