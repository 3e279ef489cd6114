import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { bubblewrap } from "../../../src/host/isolation/tools.ts";
import type { RunManifest } from "../../../src/host/recording/format/run-manifest.ts";
import { BIN } from "../../support/harness.ts";
import { agent, cleanUp, type Done, eventually, LONG_MS, type Place, place, processesOf } from "../../support/place.ts";

const made = mkdtempSync(join(tmpdir(), "harness-levels-"));
afterAll(() => {
  cleanUp();
  rmSync(made, { recursive: true, force: true });
});

const hasWalls = works();
if (!hasWalls) console.warn("No walls are tested: bubblewrap is missing or does not work here (apt-get install bubblewrap).");
test.runIf(process.env["CI"])("the build machine has bubblewrap", () => expect(hasWalls).toBe(true));

const NOBODY = ["--reuid", "65534", "--regid", "65534", "--clear-groups"];

/** Only root can, and only if others may read the sources. */
function canBeNobody(): boolean {
  return process.getuid?.() === 0 && spawnSync("setpriv", [...NOBODY, process.execPath, BIN, "--version"]).status === 0;
}

function works(): boolean {
  try {
    return bubblewrap(process.env["PATH"]).version !== "";
  } catch {
    return false;
  }
}

/** Runs a shell script as the agent. */
function runScript(
  here: Place,
  level: string,
  script: string,
  more: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<Done> {
  const file = join(here.root, "..", "work", "agent.sh");
  writeFileSync(file, script);
  return here.run(["--agent", "generic", "--isolate", level, ...more, "--command", `sh ${file}`], { env });
}

const isolationIn = ({ manifest }: { readonly manifest: RunManifest }) => manifest.isolation;

describe.runIf(hasWalls)("the levels", { timeout: 4 * LONG_MS }, () => {
  test.each(["process", "files", "sealed"])("%s: bytes, exit codes and signals are the agent's own", async (level) => {
    const here = place();
    const script = String.raw`printf 'a\000b\377\n'; printf 'err\n' >&2; exit 3`;
    expect((await runScript(here, level, script)).code).toBe(1);
    const first = here.recording();
    expect(readFileSync(join(here.runs, first.manifest.id, "raw.jsonl"))).toEqual(Buffer.from("a\0b\xff\n", "latin1"));
    expect(first.stderr).toBe("err\n");
    expect(first.sealed).toMatchObject({ exitCode: 3, signal: null, leftovers: 0 });
    expect(isolationIn(here.recording())).toMatchObject({ level, asked: level, tool: "bubblewrap", verified: true });
    const second = place();
    await runScript(second, level, "kill -9 $$");
    expect(second.recording().sealed).toMatchObject({ exitCode: null, signal: "SIGKILL", status: "crashed" });
    const third = place();
    await runScript(third, level, "(unset HARNESS_RUN_COOKIE; setsid sleep 600 &) ; sleep 601 & exit 0");
    const { manifest, sealed } = third.recording();
    expect(sealed).toMatchObject({ exitCode: 0, leftovers: 2 });
    expect(processesOf(manifest)).toEqual([]);
  });

  test("files: the workspace is there, and nothing else of the user's", async () => {
    const here = place();
    const home = join(made, "home");
    mkdirSync(join(home, ".ssh"), { recursive: true });
    writeFileSync(join(home, ".ssh", "key"), "canary");
    const script = `ls -A "$HOME"; cat "$HOME/.ssh/key" "${here.root}/runs"/*/run.json /etc/shadow; ls -A /var /run /root
      touch "$HOME/mine" /tmp/mine "$TMPDIR/too" made-here; touch /usr/made /etc/made "${made}/made"; pwd; ls /proc | grep -c '^[0-9]'`;
    const done = await runScript(here, "files", script, [], { HOME: home });
    expect(done.stdout).not.toContain("canary");
    const { raw } = here.recording();
    expect(raw).not.toContain("cookie");
    expect(raw).toContain(join(here.root, "..", "work"));
    expect(existsSync(join(here.root, "..", "work", "made-here"))).toBe(true);
    expect(["/usr/made", "/etc/made", join(made, "made"), join(home, "mine"), "/tmp/mine"].filter((path) => existsSync(path))).toEqual([]);
    expect(existsSync(isolationIn(here.recording())?.place ?? "")).toBe(false);
  });

  test("the agent is ended with its recorder, and the next command removes its private home", async () => {
    const here = place();
    const args = ["run", "--prompt", "Go.", "--agent", "generic", "--isolate", "files", "--command", agent("says-nothing")];
    const started = here.start(args);
    await eventually(() => expect(here.recordings().flatMap(({ manifest }) => processesOf(manifest)).length).toBeGreaterThan(3), LONG_MS);
    const [{ manifest } = { manifest: undefined }] = here.recordings();
    process.kill(started.pid, "SIGKILL");
    await started.done;
    if (manifest !== undefined) await eventually(() => expect(processesOf(manifest)).toEqual([]), LONG_MS);
    expect(existsSync(manifest?.isolation?.place ?? "")).toBe(true);
    expect((await here.harness(["runs", "--json"])).code).toBe(0);
    expect(existsSync(manifest?.isolation?.place ?? "")).toBe(false);
  });

  test("an agent that ignores the request to stop is killed, and its exit is known", async () => {
    const here = place();
    const done = await runScript(here, "process", "trap '' TERM; echo ready; while :; do sleep 1; done", [
      "--timeout",
      "2s",
      "--grace",
      "1s",
    ]);
    expect(done.code).toBe(124);
    expect(here.recording().sealed).toMatchObject({ status: "timed_out", signal: "SIGKILL" });
  });

  test.runIf(canBeNobody())("an ordinary user has the same walls", async () => {
    const here = place();
    const base = join(here.root, "..");
    const script = "id -u; cat /etc/shadow; setsid sleep 600 & exit 4";
    execFileSync("chown", ["-R", "65534:65534", base]);
    const args = ["run", "--prompt", "Go.", "--isolate", "files", "--command", `sh -c '${script}'`];
    await here.spawn("setpriv", [...NOBODY, process.execPath, BIN, ...args], { env: { HOME: join(base, "home") } }).done;
    const { raw, sealed } = here.recording();
    expect(raw).toBe("65534\n");
    expect(sealed).toMatchObject({ exitCode: 4, leftovers: 1 });
    expect(isolationIn(here.recording())).toMatchObject({ level: "files", verified: true });
  });

  test.runIf(canBeNobody())("the sandbox of an ordinary user's agent works inside", async () => {
    const here = place();
    const base = join(here.root, "..");
    execFileSync("chown", ["-R", "65534:65534", base]);
    const nested = "bwrap --ro-bind / / --unshare-user --unshare-pid --unshare-net --proc /proc --dev /dev echo nested";
    const args = ["run", "--prompt", "Go.", "--isolate", "files", "--command", nested];
    await here.spawn("setpriv", [...NOBODY, process.execPath, BIN, ...args], { env: { HOME: join(base, "home") } }).done;
    expect(here.recording().raw).toBe("nested\n");
  });

  test("a workspace that contains the home is rejected at files", async () => {
    const here = place();
    const done = await here.run(["--isolate", "files", "--command", "true", "--cwd", made], { env: { HOME: join(made, "home") } });
    expect(done).toMatchObject({ code: 2, stdout: "" });
    expect(done.stderr).toContain("contains your home directory");
  });
});

describe("a machine without walls", { timeout: 4 * LONG_MS }, () => {
  /** A PATH on which a program called bwrap prints this and fails. */
  function withBwrap(said: string): string {
    const folder = mkdtempSync(join(made, "bin-"));
    writeFileSync(join(folder, "bwrap"), `#!/bin/sh\necho "bwrap: ${said}" >&2\nexit 1\n`);
    chmodSync(join(folder, "bwrap"), 0o755);
    return `${folder}:${process.env["PATH"]}`;
  }

  function withoutBwrap(): string {
    const folder = mkdtempSync(join(made, "bin-"));
    return folder;
  }

  test.each([
    ["is not installed", withoutBwrap, "apt-get install bubblewrap"],
    ["is stopped by AppArmor, as on Ubuntu", () => withBwrap("setting up uid map: Permission denied"), "AppArmor"],
    ["is stopped by the filter of Docker", () => withBwrap("No permissions to create new namespace"), "seccomp"],
    ["cannot mount /proc", () => withBwrap("Can't mount proc on /newroot/proc: Operation not permitted"), "systempaths"],
  ])("bubblewrap %s: the level is rejected, with the remedy", async (_, path, remedy) => {
    const here = place();
    const done = await here.run(["--agent", "generic", "--isolate", "files", "--command", "/bin/true"], { env: { PATH: path() } });
    expect(done).toMatchObject({ code: 2, stdout: "" });
    expect(done.stderr).toContain(remedy);
    expect(done.stderr.trim().split("\n")).toHaveLength(1);
    expect(existsSync(here.runs) ? readdirSync(here.runs) : []).toEqual([]);
  });

  test("a required level is never weakened", async () => {
    const here = place();
    const args = ["--agent", "generic", "--require-isolation", "files", "--isolate", "none", "--command", "/bin/true"];
    const done = await here.run(args);
    expect(done).toMatchObject({ code: 2, stdout: "" });
    expect(done.stderr).toContain("The level files is required");
  });

  test.each(["wall", "container", "container:", "files:x", ""])("%j is not a level", async (level) => {
    const done = await place().run(["--agent", "generic", "--isolate", level, "--command", "/bin/true"]);
    expect(done).toMatchObject({ code: 2, stdout: "" });
    expect(done.stderr).toContain("container:<image>");
  });
});

describe.runIf(hasWalls)("a program that is a link", { timeout: 4 * LONG_MS }, () => {
  test("finds what lies next to its real place, as the packages of npm do", async () => {
    const here = place();
    const real = mkdtempSync(join(made, "real-"));
    mkdirSync(join(real, "node_modules", "tool"), { recursive: true });
    writeFileSync(join(real, "node_modules", "tool", "more.txt"), "found\n");
    const script = `#!/bin/sh\ncat "$(dirname "$(readlink -f "$0")")/more.txt"\n`;
    writeFileSync(join(real, "node_modules", "tool", "cli"), script, { mode: 0o755 });
    const bin = mkdtempSync(join(made, "bin-"));
    symlinkSync(join(real, "node_modules", "tool", "cli"), join(bin, "tool"));
    symlinkSync("tool", join(bin, "again"));
    await here.run(["--agent", "generic", "--isolate", "files", "--command", join(bin, "again")]);
    expect(here.recording().raw).toBe("found\n");
  });
});
