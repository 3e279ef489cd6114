import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { derive, type LogRecord, type PermissionRequest, type RunCall, run } from "../../../../src/index.ts";
import { INVALID_ANSWER } from "../../../../src/pure/events/relay-answer.ts";
import { views } from "../../../../src/pure/views/views.ts";
import { everyView, type Printed } from "../../../support/every-view.ts";
import { agent, LONG_MS } from "../../../support/place.ts";

const dataDirectory = mkdtempSync(join(tmpdir(), "harness-acp-"));
afterAll(() => rmSync(dataDirectory, { recursive: true, force: true, maxRetries: 5 }));

function call(what: readonly string[], more: Partial<RunCall> = {}) {
  return { agent: "acp", prompt: "Go.", extraArgs: [agent("acp.mjs"), ...what], dataDirectory, view: "log" as const, ...more };
}

async function logOf(options: ReturnType<typeof call>): Promise<readonly LogRecord[]> {
  const records: LogRecord[] = [];
  for await (const record of run({ ...options, view: "log" })) records.push(record);
  return records;
}

function statusOf(log: readonly LogRecord[]): unknown {
  const last = log.at(-1);
  return last?.type === "run-end" ? last.status : undefined;
}

describe("onPermission", () => {
  test("is asked, gets the call, and decides", { timeout: LONG_MS }, async () => {
    const asked: PermissionRequest[] = [];
    const log = await logOf(
      call(["asks", "cat a.txt", "rm -r x"], {
        onPermission: async (request) => {
          asked.push(request);
          return request.command?.startsWith("rm") ? { decision: "deny", reason: "not this" } : "once";
        },
      }),
    );
    expect(asked.map(({ callId, tool, kind, command }) => [callId, tool, kind, command])).toEqual([
      ["c0", "bash", "execute", "cat a.txt"],
      ["c1", "bash", "execute", "rm -r x"],
    ]);
    expect(asked[0]?.operations.map(({ kind }) => kind)).toEqual(["read"]);
    expect(asked[0]?.options.map(({ id }) => id)).toEqual(["always", "yes", "no"]);
    const decisions = log.filter((record) => record.type === "permission-decision");
    expect(decisions.map(({ decision, reason }) => [decision, reason])).toEqual([
      ["allow", "onPermission"],
      ["deny", "not this"],
    ]);
    expect(statusOf(log)).toBe("blocked");
  });

  test("W5: an answer that is not valid denies, with the reason", { timeout: LONG_MS }, async () => {
    const answers: readonly unknown[] = [
      { approved: "true" },
      { decision: "Allow" },
      { decision: "once", always: true },
      true,
      undefined,
      1,
    ];
    let asked = 0;
    const onPermission = () => answers[asked++] as never;
    const log = await logOf(call(["asks", ...answers.map((_, index) => `make ${index}`)], { onPermission }));
    const decisions = log.filter((record) => record.type === "permission-decision");
    expect(decisions.map(({ decision, reason }) => [decision, reason])).toEqual(answers.map(() => ["deny", INVALID_ANSWER]));
  });

  test("W5: a denial never selects an option that permits", { timeout: LONG_MS }, async () => {
    const log = await logOf(call(["asks", "make"], { onPermission: () => ({ decision: "deny", optionId: "yes" }) }));
    expect(log).toContainEqual(expect.objectContaining({ type: "permission-decision", decision: "deny" }));
    expect(log).toContainEqual(expect.objectContaining({ type: "message", text: expect.stringContaining('"no"') }));
  });

  test("W4: always covers the same call or a rule, each time with a record, and deny rules win", { timeout: LONG_MS }, async () => {
    const commands = ["git log", "git log", "git push", "make", "make x"];
    const asked: unknown[] = [];
    const onPermission = ({ command }: PermissionRequest) => {
      asked.push(command);
      return command?.startsWith("git")
        ? ("always" as const)
        : { decision: "always" as const, rule: { tool: "bash", params: { command: "make*" } } };
    };
    const log = await logOf(call(["asks", ...commands], { onPermission, deny: ["git push"] }));
    expect(asked).toEqual(["git log", "make"]);
    const decisions = log.filter((record) => record.type === "permission-decision");
    expect(decisions.map(({ decision, reason }) => [decision, reason])).toEqual([
      ["allow", "onPermission, always this call"],
      ["allow", "always, this call"],
      ["deny", "deny git push"],
      ["allow", 'onPermission, always bash {"command":"make*"}'],
      ["allow", 'always bash {"command":"make*"}'],
    ]);
    expect(JSON.stringify(log)).not.toContain('\\"optionId\\":\\"always\\"'); // the agent asks again, so each call has its decision
  });

  test("may choose one of the agent's options", { timeout: LONG_MS }, async () => {
    const log = await logOf(call(["asks", "make"], { onPermission: () => ({ decision: "allow", optionId: "always" }) }));
    expect(log).toContainEqual(expect.objectContaining({ type: "message", text: expect.stringContaining('"always"') }));
  });

  test.for(["opencode-acp", "kilo-acp"])("X1: a subagent of %s that could never ask is not started", { timeout: LONG_MS }, async (id) => {
    const log = await logOf(call([], { agent: id, binary: agent("acp.mjs"), extraArgs: ["starts-subagent"], onPermission: () => "once" }));
    const reason = "what its subagents ask for does not reach the client";
    expect(log).toContainEqual(expect.objectContaining({ type: "permission-decision", tool: "task", decision: "deny", reason }));
    expect(log).toContainEqual(expect.objectContaining({ type: "message", text: expect.stringContaining('"no"') }));
  });

  test("a rule comes first", { timeout: LONG_MS }, async () => {
    const log = await logOf(call(["asks", "make"], { deny: ["make"], onPermission: () => "allow" }));
    expect(log).toContainEqual(expect.objectContaining({ type: "permission-decision", decision: "deny", reason: "deny make" }));
  });

  test("denies if it throws", { timeout: LONG_MS }, async () => {
    const onPermission = () => Promise.reject(new Error("no answer"));
    const log = await logOf(call(["asks", "make"], { onPermission }));
    expect(log).toContainEqual(expect.objectContaining({ decision: "deny", reason: "The decision failed: no answer" }));
    expect(statusOf(log)).toBe("blocked");
  });

  test("gets an abort signal if it never answers, and does not hold up the run", { timeout: LONG_MS }, async () => {
    let given: AbortSignal | undefined;
    const onPermission = (_: PermissionRequest, signal: AbortSignal) => {
      given = signal;
      return new Promise<"allow">(() => {});
    };
    const log = await logOf(call(["asks", "make"], { onPermission, timeoutMs: 1500 }));
    expect(statusOf(log)).toBe("timed_out");
    expect(given?.aborted).toBe(true);
    expect(log.some(({ type }) => type === "permission-decision")).toBe(false);
  });
});

describe("live == re-derived, with our own decisions in it", () => {
  const conversations = [
    call(["asks", "cat a.txt", "rm -r x", "make"], { permissions: "read-only" }),
    call(["floods", "300"], { permissions: "full" }),
    call(["garbage"]),
    call(["wrong-id"]),
    call(["dies-asking", "1"]),
    call(["waits-for-cancel"], { timeoutMs: 1000 }),
  ];

  test.each(conversations)("$extraArgs, in every view", { timeout: 4 * LONG_MS }, async (options) => {
    let directory = "";
    const onStart = (started: { readonly directory: string }) => {
      directory = started.directory;
    };
    const live: Printed[] = [];
    for await (const printed of run({ ...options, view: everyView, onStart })) live.push(printed);
    const again: Printed[] = [];
    for await (const printed of derive(directory, { view: everyView })) again.push(printed);
    expect(again).toEqual(live);
    const silent = Object.keys(views).filter((id) => live.every(({ view }) => view !== id));
    expect(silent.filter((id) => id !== "trajectory")).toEqual([]); // an agent without output has no steps
  });
});
