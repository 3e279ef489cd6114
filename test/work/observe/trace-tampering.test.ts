import { realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, describe, expect, test } from "vitest";
import { installed } from "../../../src/host/process/find-binary.ts";
import { ownLines } from "../../../src/work/observe/commands/trace/own-lines.ts";
import { probeTrace } from "../../../src/work/observe/commands/trace/probe-trace.ts";
import { traceFile } from "../../../src/work/observe/commands/trace/trace-file.ts";
import { watchCommands } from "../../../src/work/observe/commands/watch-commands.ts";
import { evaluateRun } from "../../../src/work/observe/evaluation/evaluate-run.ts";
import { cleanUpFolders, folder, observe, script } from "./support.ts";

afterAll(cleanUpFolders);

const strace = installed(["strace"], process.env["PATH"] ?? "");
const canTrace = strace !== undefined && probeTrace(strace)?.seesEffects === true;

/** What the agent can find out: our descriptor of the trace, and the process that traces it. */
const FIND = `T=$(find /proc/[0-9]*/fd -lname "\${PWD%/*}/.commands/trace*" 2>/dev/null | head -n 1)
while read -r name value; do [ "$name" = TracerPid: ] && S=$value; done < /proc/$$/status`;

/** A trace in which nothing happened. */
const FORGED = `1 1.0 execve("/bin/true", ["true"], 0x1 /* 1 var */) = 0\n1 1.1 +++ exited with 0 +++\n`;

const TAMPERINGS: readonly (readonly [title: string, tampering: string, withoutWalls: string])[] = [
  ["does nothing else", "true", "fail"],
  ["empties the trace", ': > "$T"', "unknown"],
  ["rewrites the trace", `printf '${FORGED}' > "$T"`, "unknown"],
  ["overwrites the trace's beginning", `printf '${FORGED}' 1<> "$T"`, "unknown"],
  ["makes the trace too long to read", 'truncate -s 700M "$T"', "unknown"],
  ["puts a file in the trace's place", `printf '${FORGED}' > ../.commands/trace`, "fail"],
  ["gives the trace a name, and empties that", 'ln -L "$T" ../.commands/x; : > ../.commands/x; : > "$T"', "unknown"],
  ["empties the trace again and again", '( for i in 1 2 3 4 5 6 7 8 9; do : > "$T"; done ) & wait', "unknown"],
  ["writes to the tracer's own descriptor", `printf '${FORGED}' > /proc/$S/fd/2`, "fail"],
  ["ends the tracer", "kill -9 $S", "unknown"],
  ["ends the tracer and adds an end", `exec 7>> "$T"; kill -9 $S; printf '${FORGED}' >&7`, "unknown"],
];

/** What is said about an agent that wrote outside the workspace and then did this. */
async function verdictsOn(tampering: string, options: { readonly isolate?: string }): Promise<readonly string[]> {
  const place = realpathSync(folder());
  const policy = join(place, "policy.yaml");
  writeFileSync(policy, JSON.stringify({ checks: [{ id: "scope.only_paths", paths: ["**"] }] }));
  const command = script(place, `echo x > ${place}/outside\n${FIND}\n${tampering}\n:`);
  const asked = { command, trace: true, policy, timeoutMs: 60_000, ...options };
  const { events, error } = await observe(asked, { watchCommands, evaluate: evaluateRun });
  expect(error).toBeUndefined();
  const checks = (events[7]?.evaluation.policy.checks ?? []).filter(({ id }) => id === "scope.only_paths");
  return checks.map(({ status }) => status);
}

describe.skipIf(!canTrace)("an agent that wrote outside the workspace does not pass if it", () => {
  // Without walls: inside them it sees neither our process nor the folder of the trace.
  test.each(TAMPERINGS)("%s", { timeout: 120_000 }, async (_, tampering, expected) => {
    expect(await verdictsOn(tampering, { isolate: "none" })).toEqual([expected]);
  });

  test.each(TAMPERINGS)("%s, inside the usual walls", { timeout: 120_000 }, async (_, tampering) => {
    expect([["fail"], ["unknown"]]).toContainEqual(await verdictsOn(tampering, {}));
  });
});

const CHANGED = "The trace was changed by another process, so it shows nothing for certain.";

test("a trace is read only if it is what strace wrote", async () => {
  const path = join(folder(), "trace");
  const file = traceFile(path);
  const channel = new PassThrough();
  const reported = file.follow(channel);
  const starts = `1.0 execve("/bin/sh", [], 0x1) = 0\n7\n1.1 execve("/bin/a", [], 0x1) = 0\n`;
  for (const piece of `${starts}1.2 +++ exited with 0 +++\n`) channel.write(piece);
  await reported; // the channel is still open
  channel.end();
  channel.destroy();
  const lines: string[] = [];
  await expect(file.read((line) => lines.push(line)).then(() => lines)).resolves.toEqual([
    '7 1.1 execve("/bin/a", [], 0x1) = 0',
    "7 1.2 +++ exited with 0 +++",
  ]);
  writeFileSync(`/proc/self/fd/${file.fd}`, "8", { flag: "r+" });
  await expect(file.read(() => {})).rejects.toThrow(CHANGED);
  file.close();
});

describe("a line of strace's stderr gets the process id it would have in a file", () => {
  const begin = ['1.0 execve("/bin/sh", [], 0x1) = 0', "7", "1.0 dup2(5, 2) = 2", '1.1 execve("/a", [], 0x1) = 0'];
  test.each([
    ["one process", ["1.2 chdir(x) = 0"], ["7 1.2 chdir(x) = 0"]],
    [
      "two, then one",
      ["1.2 fork() = 8", "[pid     8] 1.3 chdir(x) = 0", "[pid 8] 1.4 +++ exited with 0 +++", "1.5 chdir(y) = 0"],
      ["7 1.2 fork() = 8", "8 1.3 chdir(x) = 0", "8 1.4 +++ exited with 0 +++", "7 1.5 chdir(y) = 0"],
    ],
    [
      "the parent continues before its child is followed",
      ["1.2 fork() = 8", "1.3 chdir(x) = 0"],
      ["7 1.2 fork() = 8", "7 1.3 chdir(x) = 0"],
    ],
    [
      "a child that outlives its parent",
      ["1.2 fork() = 8", "[pid 7] 1.3 +++ exited with 0 +++", "1.4 chdir(x) = 0"],
      ["7 1.2 fork() = 8", "7 1.3 +++ exited with 0 +++", "8 1.4 chdir(x) = 0"],
    ],
    [
      "a thread that becomes the process",
      ["1.2 clone(x) = 8", "[pid 8] 1.3 chdir(x) = 0", "[pid 7] 1.4 +++ superseded by execve in pid 8 +++", "1.5 chdir(y) = 0"],
      ["7 1.2 clone(x) = 8", "8 1.3 chdir(x) = 0", "7 1.4 +++ superseded by execve in pid 8 +++", "7 1.5 chdir(y) = 0"],
    ],
    [
      "a child that is known by another number inside",
      ["1.2 clone(x) = 2 /* 8 in strace's PID NS */", "[pid 7] 1.3 +++ killed by SIGKILL +++", "1.4 chdir(x) = 0"],
      ["7 1.2 clone(x) = 2 /* 8 in strace's PID NS */", "7 1.3 +++ killed by SIGKILL +++", "8 1.4 chdir(x) = 0"],
    ],
    [
      "nothing certain",
      ["[pid 8] 1.2 chdir(x) = 0", "1.3 chdir(y) = 0", "strace: a message"],
      ["8 1.2 chdir(x) = 0", "1.3 chdir(y) = 0", "strace: a message"],
    ],
  ])("%s", (_, given, expected) => {
    const own = ownLines();
    const kept = [...begin, ...given].map(own).filter((line) => line !== undefined);
    expect(kept).toEqual(['7 1.1 execve("/a", [], 0x1) = 0', ...expected]);
  });
});
