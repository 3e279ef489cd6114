import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { bubblewrap } from "../../../src/host/isolation/tools.ts";
import { makeWrappers } from "../../../src/work/observe/commands/make-wrappers.ts";
import { type WrapperLog, wrapperLog } from "../../../src/work/observe/commands/wrapper-log.ts";

/** Reading the records ends a program whose wrapper was killed, and no other one: also inside walls, where processes have other ids. */

const folder = realpathSync(mkdtempSync(join(tmpdir(), "harness-orphans-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function walls(): readonly string[] | undefined {
  try {
    return [bubblewrap(process.env["PATH"]).path, "--dev-bind", "/", "/", "--unshare-pid", "--proc", "/proc", "--die-with-parent"];
  } catch {
    return undefined;
  }
}

const inside = walls();
const PLACES = [
  { place: "without walls", before: [] as readonly string[] },
  ...(inside ? [{ place: "inside walls", before: inside }] : []),
];

/** A number that no process outside has, nor one of the next 20: inside walls, the first ids are also those of the machine's own processes. */
function freeNumber(): number {
  let free = 100;
  for (let pid = free; pid < free + 20; pid++) if (existsSync(`/proc/${pid}`)) free = pid + 1;
  return free;
}

/** Runs a script whose `cat` and `sh` are wrapped. */
function started(name: string, before: readonly string[], script: string): { child: ChildProcessWithoutNullStreams; log: WrapperLog } {
  const path = process.env["PATH"] ?? "";
  const wrappers = makeWrappers(join(folder, name), ["cat", "sh"], path);
  const [binary, ...args] = [...before, "/bin/bash", "-c", `: & until [ $! -ge ${freeNumber()} ]; do : & done; wait; ${script}`];
  const env = { ...process.env, PATH: `${wrappers.bin}${delimiter}${path}` };
  return { child: spawn(binary, args, { cwd: join(folder, name), env }), log: wrapperLog(wrappers.log) };
}

describe.skipIf(process.platform !== "linux").each(PLACES)("$place", ({ place, before }) => {
  test("a command with a wrapper continues", { timeout: 60_000 }, async () => {
    const { child, log } = started(`${place} on`, before, "cat; echo $?");
    child.stdin.write("up\n");
    const [said] = await once(child.stdout, "data");
    expect(String(said)).toBe("up\n");
    for (let i = 0; i < 5; i++) log.poll();
    child.stdin.end("more\n");
    expect((await child.stdout.toArray()).join("")).toBe("more\n0\n");
    log.poll();
    expect(log.commands().map(({ name, end }) => ({ name, end }))).toEqual([{ name: "cat", end: { exitCode: 0, signal: null } }]);
  });

  test("a command whose wrapper was killed is ended", { timeout: 60_000 }, async () => {
    const isThere = "grep -qs '^State:[[:space:]]*[^ZX[:space:]]' /proc/$p/status";
    const wait = `until read -r p 2>/dev/null <number; do sleep 0.02; done; kill -9 $!; while ${isThere}; do sleep 0.02; done; echo ended`;
    const { child, log } = started(`${place} end`, before, `sh -c 'echo $$ >number; exec sleep 600' & ${wait}`);
    const said = child.stdout.toArray();
    while (child.exitCode === null) {
      log.poll();
      await setTimeout(20);
    }
    expect((await said).join("")).toBe("ended\n");
    expect(log.commands().map(({ name, end }) => ({ name, end }))).toEqual([{ name: "sh", end: undefined }]);
  });
});
