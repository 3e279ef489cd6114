import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { makeCgroups, thisMachine } from "../../../src/host/limits/cgroups.ts";
import { type LimitHost, limitedLauncher } from "../../../src/host/limits/limited-launcher.ts";
import { parseResourceLimits, type ResourceLimits } from "../../../src/host/limits/resource-limits.ts";
import { findScope } from "../../../src/host/limits/systemd-scope.ts";
import { sizeOf } from "../../../src/host/limits/usage-of.ts";
import { localLauncher } from "../../../src/host/process/index.ts";
import { run } from "../../../src/host/recording/index.ts";
import { cleanUp, directory } from "../../support/harness.ts";

afterAll(cleanUp);

const none = { root: "/nowhere", membership: "" };
const watching: LimitHost = { cgroups: none, scopes: undefined, canWatch: true };

describe("the form of limits", () => {
  test.each([
    ["memory=4g", { memory: 4 * 2 ** 30 }],
    ["memory=512MiB, processes=200", { memory: 2 ** 29, processes: 200 }],
    ["file=1k,workspace=10g,cpu=1h30m", { file: 1024, workspace: 10 * 2 ** 30, cpu: 5_400_000 }],
  ])("%s", (text, limits) => expect(parseResourceLimits(text)).toEqual(limits));

  test.each(["", "memory", "memory=0", "memory=-1", "memory=4x", "memory=1g,memory=2g", "disk=1g", "processes=1g", "cpu=soon"])(
    "rejects %j",
    (text) => expect(parseResourceLimits(text)).toBeUndefined(),
  );
});

/** Runs a shell command as the agent, with limits. */
async function limited(limits: ResourceLimits, script: string, host: LimitHost = watching) {
  const [cwd, dataDirectory] = [directory(), directory()];
  const launcher = limitedLauncher(limits, localLauncher, () => host);
  let place = "";
  const options = {
    agent: "generic",
    command: "sh -s",
    prompt: script,
    cwd,
    dataDirectory,
    launcher,
    timeoutMs: 60_000,
    view: "log" as const,
  };
  const said = [];
  const onStart = (live: { readonly directory: string }) => {
    place = live.directory;
  };
  for await (const record of run({ ...options, onStart })) said.push(record);
  const end = said.find(({ type }) => type === "run-end");
  return { end, said, cwd, manifest: JSON.parse(readFileSync(join(place, "run.json"), "utf8")) };
}

const linux = process.platform === "linux";

describe.runIf(linux)("what exceeds a limit is ended, and its run says why", () => {
  test("memory", async () => {
    const script = `exec ${process.execPath} -e 'const all = []; setInterval(() => all.push(Buffer.alloc(8 << 20, 1)), 10)'`;
    const { end, said, manifest } = await limited({ memory: 200 * 2 ** 20 }, script);
    expect(end).toMatchObject({ status: "crashed", reason: "out-of-memory", stopped: "out-of-memory" });
    expect(said).toContainEqual(
      expect.objectContaining({ type: "warning", code: "limit", message: expect.stringContaining("limit on memory") }),
    );
    expect(manifest.launcher).toEqual({ id: "limited", about: { limits: { memory: { limit: 200 * 2 ** 20, by: "watch" } } } });
  });

  test("a fork bomb", async () => {
    const { end, cwd } = await limited({ processes: 40 }, "f() { sleep 60 & f; }; f");
    expect(end).toMatchObject({ status: "crashed", reason: "over-limit" });
    expect(readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && cwdOf(pid) === cwd)).toEqual([]);
  });

  test("a disk filler: one file", async () => {
    const { end, cwd } = await limited({ file: 2 ** 20 }, "head -c 5000000 /dev/zero > large; echo $?; ls");
    expect(end).toMatchObject({ status: "completed" });
    expect(sizeOf(cwd, 2 ** 40)).toBeLessThanOrEqual(2 ** 20);
  });

  test("a disk filler: many files", async () => {
    const { end } = await limited({ workspace: 2 ** 20 }, 'i=0; while :; do i=$((i+1)); head -c 200000 /dev/zero > "f$((i % 50))"; done');
    expect(end).toMatchObject({ status: "crashed", reason: "over-limit" });
  });

  test("a workspace that grew right before the end", async () => {
    const { end } = await limited({ workspace: 2 ** 20 }, "head -c 3000000 /dev/zero > large");
    expect(end).toMatchObject({ status: "crashed", reason: "over-limit" });
  });

  test("processor time, of all processes together", async () => {
    const { end } = await limited({ cpu: 600 }, "for i in 1 2 3; do (while :; do :; done) & done; wait");
    expect(end).toMatchObject({ status: "crashed", reason: "over-limit" });
  });

  test("an honest run within its limits is untouched", async () => {
    const limits = { memory: 2 ** 30, processes: 50, file: 2 ** 20, workspace: 2 ** 20, cpu: 60_000 };
    const { end, manifest } = await limited(limits, "echo text > file; sleep 0.3; cat file");
    expect(end).toMatchObject({ status: "completed", exitCode: 0 });
    const by = { memory: "watch", processes: "watch", file: "rlimit", workspace: "watch", cpu: "watch" };
    const shown = Object.entries(limits).map(([name, limit]) => [name, { limit, by: by[name as keyof typeof by] }]);
    expect(manifest.launcher.about.limits).toEqual(Object.fromEntries(shown));
  });
});

test("a program that does not exist is reported as without limits", async () => {
  const options = { agent: "generic", binary: process.execPath, command: "x", prompt: "x", cwd: directory(), dataDirectory: directory() };
  const launcher = limitedLauncher({ file: 2 ** 20 }, { ...localLauncher, find: () => "/nowhere/program" }, () => watching);
  await expect(async () => {
    for await (const _ of run({ ...options, launcher }));
  }).rejects.toThrow("Cannot start");
});

test("a limit that nothing can enforce is rejected", async () => {
  const launcher = limitedLauncher({ memory: 2 ** 30 }, localLauncher, () => ({ ...watching, canWatch: false }));
  const program = { binary: "/bin/sh", args: [], cwd: "/", env: {} };
  await expect(launcher.probe?.(program)).rejects.toThrow("The limit on memory cannot be enforced on this system.");
  await expect(launcher.launch({ ...program, cookie: "x", stdio: ["ignore", 1, 2] })).rejects.toThrow("cannot be enforced");
});

describe("control groups", () => {
  function kernel(files: Readonly<Record<string, string>>) {
    const root = directory();
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(root, path, ".."), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return root;
  }

  test("version 2: in the root group, for the controllers that are on", () => {
    const root = kernel({ "cgroup.subtree_control": "cpu memory\n" });
    const groups = makeCgroups({ memory: 1000, processes: 5 }, { root, membership: "0::/\n" });
    expect([...groups.by]).toEqual([["memory", "cgroup v2"]]);
    const [place = ""] = groups.directories;
    expect(readFileSync(join(place, "memory.max"), "utf8")).toBe("1000");
    writeFileSync(join(place, "memory.events"), "low 0\noom 3\noom_kill 2\n");
    expect(groups.outOfMemory()).toBe(2);
  });

  test("version 1: one group per controller", () => {
    const root = kernel({ "memory/tasks": "", "pids/tasks": "" });
    const groups = makeCgroups({ memory: 1000, processes: 5 }, { root, membership: "8:pids:/\n4:memory:/\n0::/\n" });
    expect([...groups.by]).toEqual([
      ["memory", "cgroup v1"],
      ["processes", "cgroup v1"],
    ]);
    expect(groups.directories.map((place) => readdirSync(place)[0])).toEqual(["memory.limit_in_bytes", "pids.max"]);
  });

  test.each(["4:memory:/system.slice/a.service\n0::/\n", "0::/user.slice/user-1000.slice/session-2.scope\n", ""])(
    "a group with another manager is not divided: %j",
    (membership) => {
      const root = kernel({ "memory/tasks": "", ...(membership.startsWith("0::/u") && { "cgroup.subtree_control": "memory pids" }) });
      expect(makeCgroups({ memory: 1000 }, { root, membership }).directories).toEqual([]);
    },
  );

  test("the groups of a harness that was killed are removed by the next", () => {
    const root = kernel({ "cgroup.subtree_control": "memory\n" });
    mkdirSync(join(root, "harness-999999999-0a"));
    mkdirSync(join(root, `harness-${process.pid}-0b`));
    makeCgroups({ memory: 1000 }, { root, membership: "0::/\n" });
    expect(existsSync(join(root, "harness-999999999-0a"))).toBe(false);
    expect(existsSync(join(root, `harness-${process.pid}-0b`))).toBe(true);
  });
});

const usable = makeCgroups({ processes: 40 }, thisMachine());
usable.remove();

test.runIf(usable.by.size > 0)("the kernel's own limit on processes: a fork bomb gets an error, and nothing is left", async () => {
  const host = { ...watching, cgroups: thisMachine() };
  const { end, said, manifest } = await limited({ processes: 40 }, "for i in $(seq 100); do sleep 20 & done; echo done", host);
  expect(manifest.launcher.about.limits.processes).toEqual({ limit: 40, by: usable.by.get("processes") });
  expect(end).toMatchObject({ exitCode: 2, status: "failed" });
  expect(JSON.stringify(said)).toContain("fork");
  const left = usable.directories.flatMap((place) =>
    readdirSync(join(place, "..")).filter((name) => name.startsWith(`harness-${process.pid}-`)),
  );
  expect(left).toEqual([]);
});

describe("scopes of systemd", () => {
  const path = (text: Readonly<Record<string, string>>) => {
    const folder = directory();
    for (const [name, script] of Object.entries(text)) writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return folder;
  };
  const RUN = 'while [ "$1" != -- ] && [ $# -gt 1 ]; do shift; done; shift; exec "$@"';

  test("without systemd there are none", () => {
    expect(findScope({ PATH: "/usr/bin:/bin" }, "/nowhere")).toBeUndefined();
    expect(findScope({ PATH: path({ "systemd-run": "exit 1", systemctl: "" }) }, "/")).toBeUndefined();
  });

  test.runIf(linux)("a run in a scope, and its end by the kernel", async () => {
    const scopes = findScope(
      { PATH: `${path({ "systemd-run": RUN, systemctl: 'case "$*" in *show*) echo oom-kill;; esac' })}:/usr/bin:/bin` },
      "/",
    );
    const { end, manifest } = await limited({ memory: 2 ** 30 }, "kill -KILL $$", { ...watching, scopes });
    expect(manifest.launcher.about.limits).toEqual({ memory: { limit: 2 ** 30, by: "systemd" } });
    expect(end).toMatchObject({ status: "crashed", reason: "out-of-memory" });
  });
});

function cwdOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}
