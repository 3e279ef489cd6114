import { spawn } from "node:child_process";
import { randomFillSync } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { BIN, bash, claudeSays, cleanUp, directory, file, harness, jsonLines, RAW, ROOT } from "../../support/harness.ts";

afterAll(cleanUp);

const claude = ["--agent", "claude"];

const timeless = (text: string) => jsonLines(text).map((record) => ({ ...record, timestamp: "" }));

describe("derive", () => {
  test.each(["activity", "stream", "result", "log", "trajectory"])("gives the view %s as one JSON object per line", async (view) => {
    const { code, stdout, stderr } = await harness(["derive", RAW, ...claude, "--view", view]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.endsWith("\n")).toBe(true);
    expect(jsonLines(stdout).length).toBeGreaterThan(view === "result" ? 0 : 10);
  });

  test("the default view is activity", async () => {
    const { stdout } = await harness(["derive", RAW, ...claude]);
    expect(stdout).toBe((await harness(["derive", RAW, ...claude, "--view", "activity"])).stdout);
  });

  test("an alias names the agent too", async () => {
    const { code, stdout } = await harness(["derive", RAW, "--agent", "claude-code"]);
    expect(code).toBe(0);
    expect(stdout).toBe((await harness(["derive", RAW, ...claude])).stdout);
  });

  test("- reads standard input, and gives the same records except for their times", async () => {
    const piped = await harness(["derive", "-", ...claude], { stdin: readFileSync(join(ROOT, RAW)) });
    expect(piped.code).toBe(0);
    expect(timeless(piped.stdout)).toEqual(timeless((await harness(["derive", RAW, ...claude])).stdout));
  });

  test("--stderr and --exit-code reach the view", async () => {
    const stderr = file("the last line\n", "stderr.log");
    const { stdout } = await harness(["derive", RAW, ...claude, "--exit-code", "3", "--stderr", stderr]);
    const last = jsonLines(stdout).at(-1);
    expect(last).toMatchObject({ type: "error", code: "process_error" });
    expect(String(last?.["message"])).toMatch(/exited with code 3.*the last line/s);
    expect(stdout).toContain('"type":"warning"');
  });

  test("--cwd makes paths absolute", async () => {
    const call = { type: "tool_use", id: "t", name: "Read", input: { file_path: "a.txt" } };
    const result = { type: "tool_result", tool_use_id: "t", content: "x" };
    const raw = file(
      [
        { type: "assistant", message: { id: "m", content: [call] } },
        { type: "user", message: { content: [result] } },
      ]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(""),
    );
    const { stdout } = await harness(["derive", raw, ...claude, "--cwd", "/somewhere"]);
    expect(jsonLines(stdout)).toMatchObject([{ type: "read", path: "/somewhere/a.txt" }]);
  });

  test.each(["SIGTERM", "TERM", "sigterm", "15"])("--signal %s is SIGTERM", async (signal) => {
    const { stdout } = await harness(["derive", RAW, ...claude, "--view", "result", "--signal", signal]);
    expect(jsonLines(stdout)).toMatchObject([{ signal: "SIGTERM", exitCode: null }]);
  });

  test("O3: --refs leads from a step to its own bytes, also if an earlier call held it back", async () => {
    const line = (role: string, content: object) =>
      `${JSON.stringify({ type: role, message: { role, content: [content] }, session_id: "s" })}\n`;
    const lines = [
      line("assistant", { type: "tool_use", id: "a", name: "Bash", input: { command: "sleep 9" } }),
      line("assistant", { type: "text", text: "Meanwhile." }),
      line("user", { type: "tool_result", tool_use_id: "a", content: "ok" }),
    ];
    const steps = jsonLines((await harness(["derive", file(lines.join("")), ...claude, "--view", "trajectory", "--refs"])).stdout);
    const at = (i: number) => lines.slice(0, i).join("").length;
    expect(steps).toMatchObject([
      { type: "tool_call", offset: at(2) },
      { type: "message", offset: at(1), length: lines[1]?.trimEnd().length },
    ]);
  });

  test("--refs, --reasoning and --case reach the view", async () => {
    const refs = jsonLines((await harness(["derive", RAW, ...claude, "--refs"])).stdout);
    expect(refs[0]).toMatchObject({ seq: expect.any(Number), offset: expect.any(Number), length: expect.any(Number) });
    const types = async (...args: string[]) =>
      jsonLines((await harness(["derive", RAW, ...claude, ...args])).stdout).map(({ type }) => type);
    expect(await types("--reasoning")).toContain("reasoning");
    expect(await types("--view", "stream")).toContain("SessionStart");
    expect(await types("--view", "stream", "--case", "snake")).toContain("session_start");
  });
});

describe("input that no agent printed", () => {
  test("an empty file gives no activity, and a stream that says so", async () => {
    const empty = file("");
    expect(await harness(["derive", empty, ...claude])).toEqual({ code: 0, stdout: "", stderr: "" });
    const { code, stdout } = await harness(["derive", empty, ...claude, "--view", "stream"]);
    expect(code).toBe(0);
    expect(jsonLines(stdout).map(({ type }) => type)).toEqual(["SessionStart", "Result"]);
  });

  test("random bytes become unknown events, and none is lost", async () => {
    const bytes = randomFillSync(Buffer.alloc(100_000));
    const { code, stdout, stderr } = await harness(["derive", file(bytes), ...claude, "--view", "log"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const unknown = jsonLines(stdout).filter(({ type }) => type === "unknown");
    expect(unknown.length).toBeGreaterThan(100);
    const lines = bytes
      .toString("latin1")
      .split("\n")
      .filter((line) => line.trim() !== "").length;
    expect(unknown.length).toBeGreaterThanOrEqual(lines - 5); // a line of exotic white space may count as blank
    expect(unknown.length).toBeLessThanOrEqual(lines);
  });
});

/** The arguments, and what the message must say. */
const mistakes: Record<string, [args: string[], sentence: RegExp]> = {
  "no agent, and none is recognized": [["derive", "package.json"], /--agent <id>: claude, codex, /],
  "an unknown agent": [["derive", RAW, "--agent", "clade"], /no agent called "clade"\. Did you mean claude\?/],
  "an unknown view": [["derive", RAW, ...claude, "--view", "actvity"], /no view called "actvity"\. Did you mean activity\?/],
  "an inherited name as the view": [["derive", RAW, ...claude, "--view", "constructor"], /no view called "constructor"/],
  "an exit code above 255": [["derive", RAW, ...claude, "--exit-code", "256"], /0 to 255/],
  "an exit code below 0": [["derive", RAW, ...claude, "--exit-code", "-1"], /0 to 255/],
  "an exit code that is not a number": [["derive", RAW, ...claude, "--exit-code", "1.5"], /0 to 255/],
  "an unknown signal": [["derive", RAW, ...claude, "--signal", "SIGFOO"], /SIGTERM, TERM or 15/],
  "an unused signal number": [["derive", RAW, ...claude, "--signal", "99"], /SIGTERM, TERM or 15/],
  "an unknown case": [["derive", RAW, ...claude, "--case", "camel"], /pascal, snake/],
  "a missing file": [["derive", "no/such/file", ...claude], /no\/such\/file: there is no such file/],
  "a missing stderr file": [["derive", RAW, ...claude, "--stderr", "nope"], /stderr file nope: there is no such file/],
  "a path through a file": [["derive", `${RAW}/x`, ...claude], /not a directory/],
  "a name that is too long": [["derive", "a".repeat(5000), ...claude], /the path is too long/],
  "a directory": [["derive", "src", ...claude], /src is a directory/],
  "a path of control characters": [["derive", "a\u001b[31m\nb", ...claude], /a\\u\{1b\}\[31m\\nb: there is no such file/],
};

describe("a mistake is one sentence on stderr and exit code 2", () => {
  test.each(Object.entries(mistakes))("%s", async (_, [args, sentence]) => {
    const { code, stdout, stderr } = await harness(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(sentence);
    expect(stderr).toMatch(/^harness: [^\n]{1,700}\n$/);
  });

  test("a named pipe is read like a file", async () => {
    const fifo = join(directory(), "fifo");
    const named = await bash(`mkfifo ${fifo} && (cat ${RAW} > ${fifo} &) && harness derive ${fifo} --agent claude`);
    const substituted = await bash(`harness derive <(cat ${RAW}) --agent claude --stderr <(echo complaint)`);
    expect([named.code, substituted.code]).toEqual([0, 0]);
    expect(jsonLines(named.stdout).length).toBeGreaterThan(10);
    expect(jsonLines(substituted.stdout)).toHaveLength(jsonLines(named.stdout).length + 1);
  });

  test("a named pipe whose agent is recognized is read to its end, and its writer is not cut off", async () => {
    const fifo = join(directory(), "fifo");
    const long = `for i in 1 2 3 4 5 6 7 8; do cat ${RAW}; done`; // longer than a pipe holds
    const writer = `(bash -c '${long}' > ${fifo}; echo $? > ${fifo}.exit) &`;
    const named = await bash(`mkfifo ${fifo}; ${writer} timeout 20 harness derive ${fifo}; wait; cat ${fifo}.exit >&2`);
    const filed = await bash(`(${long}) > ${fifo}.file; harness derive ${fifo}.file`);
    expect(named.stderr).toMatch(/^harness: Read as the output of claude .*\n0\n$/s);
    expect(timeless(named.stdout)).toEqual(timeless(filed.stdout));
  });

  test("a FIFO on standard input is read", async () => {
    const fifo = join(directory(), "fifo");
    const { code, stdout } = await bash(`mkfifo ${fifo} && (cat ${RAW} > ${fifo} &) && harness derive - --agent claude < ${fifo}`);
    expect(code).toBe(0);
    expect(jsonLines(stdout).length).toBeGreaterThan(10);
  });

  test("a directory on standard input", async () => {
    const { code, stderr } = await bash("harness derive - --agent claude < src");
    expect(code).toBe(2);
    expect(stderr).toMatch(/^harness: Standard input is a directory.*\n$/);
  });
});

test("records of a live pipe are printed while it is open", async () => {
  const child = spawn(process.execPath, [BIN, "derive", "-", ...claude], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.write(claudeSays("hello", "again"));
  const [first] = await once(child.stdout, "data");
  expect(jsonLines(String(first))).toMatchObject([{ type: "agent", message: "hello" }]);
  child.stdin.end();
  expect(await once(child, "exit")).toEqual([0, null]);
});
