import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { linkSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { installed } from "../../../src/host/process/find-binary.ts";
import type { Launcher } from "../../../src/host/process/launcher.ts";
import { localLauncher } from "../../../src/host/process/local-launcher.ts";
import { runProgram } from "../../../src/host/process/run-program.ts";
import type { CheckOptions } from "../../../src/pure/checks/check.ts";
import { effectsIn } from "../../../src/pure/checks/traced-effects.ts";
import { probeTrace } from "../../../src/work/observe/commands/trace/probe-trace.ts";
import { sharedFiles } from "../../../src/work/observe/commands/trace/shared-files.ts";
import { watchCommands } from "../../../src/work/observe/commands/watch-commands.ts";
import { evaluateRun } from "../../../src/work/observe/evaluation/evaluate-run.ts";
import { cleanUpFolders, fileOf, folder as newFolder, noParts, observe, rederived, script } from "./support.ts";

const folder = mkdtempSync(join(tmpdir(), "harness-trace-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterAll(cleanUpFolders);

const path = process.env["PATH"] ?? "";

async function watched(name: string, script: string, withPath = path) {
  const directory = join(folder, name);
  mkdirSync(directory);
  const log = join(directory, "command_logs.jsonl");
  const watch = await watchCommands({ wrap: ["cat"], trace: true, path: withPath, directory, log });
  const env = { ...watch.env, HOME: folder };
  const launcher = watch.traced?.(localLauncher);
  const { exitCode } = await runProgram({ binary: "/bin/sh", args: ["-c", script], cwd: "/", env, timeoutMs: 60_000, launcher });
  return { exitCode, ...(await watch.collect()), launcher, log };
}

const hasTrace = installed(["strace"], path) !== undefined;

test.skipIf(!hasTrace)("a trace sees what wrappers do not, and reports nothing twice", { timeout: 60_000 }, async () => {
  const { exitCode, commands, summary, launcher } = await watched(
    "seen",
    "cat /dev/null; /bin/uname -s; env -i /bin/sh -c 'exit 3'; exit 5",
  );
  expect({ exitCode, launcher: launcher?.id }).toEqual({ exitCode: 5, launcher: "traced" });
  expect(summary).toMatchObject({ available: true, sources: ["wrapper", "trace"] });
  const seen = commands.map(({ source, argv, exitCode }) => [source, argv[0]?.replace(/.*\//, ""), exitCode]);
  expect(seen).toEqual(
    expect.arrayContaining([
      ["wrapper", "cat", 0],
      ["trace", "uname", 0],
      ["trace", "sh", 3],
    ]),
  );
  expect(seen.filter(([, name]) => name === "cat")).toHaveLength(1);
});

test.skipIf(!hasTrace)("a strace that is late is waited for: the trace shows the program's end", { timeout: 60_000 }, async () => {
  const late = join(folder, "late");
  mkdirSync(late);
  const relay = `while IFS= read -r line; do case $line in *"+++ exited"*) sleep 1;; esac; printf '%s\\n' "$line"; done`;
  const real = installed(["strace"], path) ?? "";
  writeFileSync(join(late, "strace"), `#!/bin/bash\nexec ${real} "$@" 2> >(${relay} >&2)\n`, { mode: 0o755 });
  const { exitCode, summary } = await watched("lately", "exit 5", `${late}:${path}`);
  expect({ exitCode, problem: summary.problem, sources: summary.sources }).toEqual({ exitCode: 5, sources: ["wrapper", "trace"] });
});

test("a strace that may not trace is not used: the agent would not start", { timeout: 60_000 }, async () => {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "strace"), "#!/bin/sh\necho 'strace: PTRACE_TRACEME: Operation not permitted' >&2; exit 1\n", { mode: 0o755 });
  const { exitCode, summary, launcher, log } = await watched("refused", "cat /dev/null; exit 5", `${bin}:${path}`);
  expect({ exitCode, launcher }).toEqual({ exitCode: 5 });
  expect(summary).toMatchObject({ sources: ["wrapper"], problem: expect.stringContaining("may not trace") });
  expect(readFileSync(log, "utf8")).toContain('"argv":["cat","/dev/null"]');
});

/** Observes a program under a trace, with the verdicts of two checks. */
async function judged(text: string, options: { readonly paths?: Partial<CheckOptions>; readonly network?: CheckOptions } = {}) {
  const place = realpathSync(newFolder());
  const policy = join(place, "policy.yaml");
  const network = { id: "scope.no_network", ...options.network };
  writeFileSync(policy, JSON.stringify({ checks: [{ id: "scope.only_paths", paths: ["**"], ...options.paths }, network] }));
  const workspace = join(place, "given");
  mkdirSync(workspace);
  symlinkSync(place, join(workspace, "out"));
  const command = script(place, `P=${place}\n${text}`);
  const parts = { watchCommands, evaluate: evaluateRun };
  const observation = await observe({ command, workspace, trace: true, policy }, parts);
  const { directory, events, manifest } = observation;
  expect(manifest).toMatchObject({ launcher: { id: "traced" }, command: { binary: command, args: [] } });
  expect(await rederived(observation)).toBe(fileOf(observation));
  const verdicts = events[7]?.evaluation.policy.checks ?? [];
  for (const { status, evidence } of verdicts) expect(evidence.length > 0 || status === "unknown").toBe(true);
  const of = (id: string) => verdicts.find((check) => check.id === id);
  const log = readFileSync(join(directory, "artifacts/trace_effects.jsonl"), "utf8");
  const effects = effectsIn(log)?.map(({ kind, target, by }) => [kind, target.replace(place, "$P"), by]);
  return { paths: of("scope.only_paths"), network: of("scope.no_network"), effects, events, place, directory };
}

const canTrace = hasTrace && probeTrace("strace")?.seesEffects === true;

describe.skipIf(!canTrace)("outside the workspace", () => {
  test("a run that stays in its workspace and connects to nothing", { timeout: 60_000 }, async () => {
    const text =
      "echo hi > a; mkdir -p b/c; mv a b/; (cd b && rm a); echo note >/dev/null; echo said >/dev/stderr; cat /etc/hostname >/dev/null";
    const { paths, network, effects, events } = await judged(text);
    expect(effects).toEqual([]);
    expect(paths).toMatchObject({ status: "pass", message: expect.stringContaining("according to the trace") });
    expect(network).toMatchObject({ status: "pass" });
    const artifact = events[6]?.agent_action.artifacts.find(({ id }) => id === "trace_effects.jsonl");
    expect(artifact?.metadata).toEqual({ written_outside_count: 0, sockets_count: 0, connections_count: 0, gaps: [] });
  });

  test("a custom launcher is traced too", { timeout: 60_000 }, async () => {
    const launch: Launcher["launch"] = (program) =>
      localLauncher.launch({ ...program, binary: "/usr/bin/nice", args: [program.binary, ...program.args] });
    const command = script(realpathSync(newFolder()), "/bin/uname -s");
    const { manifest, directory } = await observe(
      { command, trace: true, launcher: { id: "nice", launch } },
      { ...noParts, watchCommands },
    );
    expect(manifest).toMatchObject({ launcher: { id: "traced nice" }, command: { binary: command }, sealed: { exitCode: 0 } });
    expect(readFileSync(join(directory, "artifacts/command_logs.jsonl"), "utf8")).toContain('"argv":["/bin/uname","-s"]');
  });

  test("killed commands have ended", { timeout: 60_000 }, async () => {
    const { paths, network, directory } = await judged("timeout 1 sleep 50; sh -c 'kill -9 $$'; true");
    expect([paths?.status, network?.status]).toEqual(["pass", "pass"]);
    const log = readFileSync(join(directory, "artifacts/command_logs.jsonl"), "utf8");
    expect(log).toContain('"signal":"SIGTERM"');
    expect(log).toContain('"signal":"SIGKILL"');
  });

  const canNest = spawnSync("unshare", ["-rpf", "true"], { stdio: "ignore" }).status === 0;
  test.skipIf(!canNest)("processes with different ids, as in a container, have ended too", { timeout: 60_000 }, async () => {
    const { paths, network } = await judged("unshare -rpf sh -c '/bin/true; /bin/true'");
    expect(network).toMatchObject({ status: "pass" });
    expect(paths?.message).not.toContain("still running");
  });

  test("a write outside, also through a link, fails and names the process; a rule can allow it", { timeout: 60_000 }, async () => {
    const text = 'echo x > "$P/a b"; mkdir out/made; (cd out && touch deep); ln -s "$P" l && mkdir l/linked';
    const { paths, effects } = await judged(text);
    expect(effects?.map(([, target]) => target)).toEqual(["$P/a b", "$P/made", "$P/deep", "$P/linked"]);
    expect(paths).toMatchObject({ status: "fail", message: expect.stringContaining("4 paths outside the workspace") });
    expect(paths?.evidence[1]).toMatchObject({
      source: "commands",
      line: 2,
      excerpt: expect.stringMatching(/\/made: mkdir by mkdir out\/made \(process \d+\)$/),
    });
    const allowed = await judged(text, { paths: { outside: ["/**/a*", "/**/made", "/**/deep", "/**/linked/**"] } });
    expect(allowed.paths).toMatchObject({ status: "pass" });
  });

  test("a script that connects: to its own server, to one on the machine", { timeout: 60_000 }, async () => {
    const own =
      "const s = require('net').createServer((c) => c.end()).listen(0, '127.0.0.1', () => require('net').connect(s.address().port, '127.0.0.1').on('close', () => s.close()))";
    const alone = await judged(`node -e "${own}"`);
    expect(alone.network).toMatchObject({ status: "pass" });
    const server = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    const connects = `node -e "require('net').connect(${port}, '127.0.0.1').on('error', () => {})"; true`;
    try {
      const { network, effects } = await judged(connects);
      expect(effects).toContainEqual(["connection", `127.0.0.1:${port}`, "command"]);
      expect(network).toMatchObject({ status: "unknown", message: expect.stringContaining(`127.0.0.1:${port}`) });
      const allowed = await judged(connects, { network: { allow: ["127.0.0.1:*"] } });
      expect(allowed.network).toMatchObject({ status: "pass" });
    } finally {
      server.close();
    }
  });

  test("a datagram to a different machine is seen without an answer", { timeout: 60_000 }, async () => {
    const { network } = await judged(
      `node -e "const s = require('dgram').createSocket('udp4'); s.send('x', 9, '192.0.2.1', () => s.close())"; true`,
    );
    // Without any route, nothing was sent.
    expect(network?.status).toMatch(/^(?:fail|pass)$/);
    if (network?.status === "fail") expect(network.message).toContain("192.0.2.1:9");
  });

  test("io_uring is unavailable: nothing can be written without a call", { timeout: 60_000 }, async () => {
    const { paths, effects } = await judged(`UV_USE_IO_URING=1 node -e "require('fs').promises.writeFile('$P/ring', 'x')"`);
    expect(effects).toEqual([["write", "$P/ring", "command"]]);
    expect(paths?.status).toBe("fail");
  });
});

test("a file of the workspace with a name elsewhere is a gap: it is the same object", () => {
  const place = mkdtempSync(join(folder, "shared-"));
  mkdirSync(join(place, "w"));
  for (const name of ["w/a", "w/b"]) writeFileSync(join(place, name), "x");
  linkSync(join(place, "w/a"), join(place, "w/c"));
  const shared = ["a", "c"];
  expect(sharedFiles({ workspace: join(place, "w"), shared })).toEqual([]);
  linkSync(join(place, "w/b"), join(place, "outside"));
  expect(sharedFiles({ workspace: join(place, "w"), shared: [...shared, "b"] })).toEqual([
    { reason: "shared-file", count: 1, example: "b" },
  ]);
});
