import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type RunStatus, runStatuses } from "../../../src/pure/events/index.ts";
import { classTable, judgeTrial, startAdvice, type TrialEvidence, trialClasses } from "../../../src/pure/verdicts/index.ts";
import { capture, result } from "../../../src/pure/views/index.ts";
import { loadFixtures, replay } from "../../support/fixtures.ts";
import { ROOT } from "../../support/harness.ts";

/** The class of a trial: one function, one table, published in docs/guides/evaluate.md. */

const evidence = (fields: Partial<TrialEvidence>): TrialEvidence => ({
  status: "completed",
  verdict: "none",
  isStarted: true,
  isModelSeen: true,
  errors: [],
  ...fields,
});

const statuses = [...runStatuses, null, undefined] as const;
const verdicts = ["pass", "fail", "unverified", "broken", "none"] as const;

/** The table once more, written by hand: status → class by verdict (pass, fail, unverified, broken, none), for a trial that reached a model. */
const expected: Readonly<Record<string, string>> = {
  completed: "passed failed ungraded ungraded ungraded",
  failed: "passed failed ungraded ungraded failed",
  blocked: "passed failed ungraded ungraded failed",
  crashed: "failed failed failed failed failed",
  timed_out: "out_of_time out_of_time out_of_time out_of_time out_of_time",
  hung: "out_of_time out_of_time out_of_time out_of_time out_of_time",
  infrastructure: "lost_to_provider lost_to_provider lost_to_provider lost_to_provider lost_to_provider",
  canceled: "lost_to_us lost_to_us lost_to_us lost_to_us lost_to_us",
  null: "lost_to_us lost_to_us lost_to_us lost_to_us lost_to_us",
  undefined: "passed failed ungraded ungraded ungraded",
};

describe("every status and verdict has one class", () => {
  test.each(statuses)("%s", (status) => {
    const found = verdicts.map((verdict) => judgeTrial(evidence({ status, verdict })).class);
    expect(found.join(" ")).toBe(expected[String(status)]);
  });

  test.each(["exit-code-143", "SIGTERM"])("an agent that leaves with %s does not leave the rate", (reason) => {
    expect(judgeTrial(evidence({ status: "canceled", reason, verdict: "none" })).class).toBe("failed");
    expect(judgeTrial(evidence({ status: "canceled", reason: "canceled", verdict: "none" })).class).toBe("lost_to_us");
  });

  test("an agent that destroyed its evidence never passes, and never leaves the rate", () => {
    for (const verdict of verdicts)
      for (const errors of [[], ["Not logged in"]])
        expect(judgeTrial(evidence({ status: "failed", reason: "evidence-lost", verdict, errors, isModelSeen: false })).class).toBe(
          "failed",
        );
  });

  test("every row of the table decides something, and every class has a row", () => {
    const reasons = [undefined, "log-write", "recorder-died", "not-started", "exit-code-143", "evidence-lost"];
    const used = new Set<string>();
    for (const status of statuses)
      for (const verdict of verdicts)
        for (const reason of reasons)
          for (const isModelSeen of [true, false]) {
            const each = evidence({ status, verdict, reason, isModelSeen });
            const name = status === null ? "null" : (status ?? "none");
            const row = classTable.find(({ statuses: of, holds }) => of.includes(name) && holds(each));
            expect(row).toBeDefined();
            used.add(row?.when + String(row?.statuses));
          }
    expect(used.size).toBe(classTable.length);
    expect(new Set(classTable.map((row) => row.class))).toEqual(new Set(trialClasses));
  });

  test("docs/guides/evaluate.md has exactly this table", () => {
    const page = readFileSync(join(ROOT, "docs/guides/evaluate.md"), "utf8");
    const rows = page.split("\n").map((line) => line.replace(/\s+/g, " "));
    const words = { none: "–", null: "`null`" } as Readonly<Record<string, string>>;
    const lines = classTable.map(
      (row) =>
        `| ${row.statuses.map((status) => words[status] ?? `\`${status}\``).join(", ")} | ${row.when} | \`${row.class}\` | ${GRADE[row.grade]} |`,
    );
    const first = rows.indexOf(lines[0] ?? "");
    expect(rows.slice(first, first + lines.length)).toEqual(lines);
    for (const { what, remedy } of Object.values(startAdvice)) expect(page.replace(/\s+/g, " ")).toContain(`${what} | ${remedy}`);
  });
});

const GRADE = { decides: "decides", informs: "for information", none: "not graded" } as const;

describe("V2: what keeps an agent from reaching a model", () => {
  /** The recordings of real CLIs that never reached a model. */
  const unstarted: Readonly<Record<string, string>> = {
    "claude/no-key": "credentials",
    "claude/err-401": "credentials",
    "claude/always-401": "credentials",
    "claude/old-err401": "credentials",
    "claude/root-no-sandbox": "root",
    "claude/bad-model": "settings",
    "codex/no-key": "credentials",
    "codex/err-401": "credentials",
    "codex/always-401": "credentials",
    "codex/protocol-0.39-err401": "credentials",
    "codex/bad-config": "settings",
    "codex/config-chat-wire": "settings",
    "cline/err401": "credentials",
    "cline/legacy-err401": "credentials",
    "cline/bad-provider": "settings",
    "goose/err-401": "credentials",
    "goose/err401": "credentials",
    "goose/json-err-401": "credentials",
    "goose/unknown-provider": "settings",
    "kilo/err401": "credentials",
    "kilo/bad-model": "settings",
    "opencode/err401": "credentials",
    "pi/err-401": "credentials",
    "pi/err-401-new": "credentials",
    "pi/no-models": "settings",
    "gemini/err401": "credentials",
    "gemini/err400-key": "credentials",
    "gemini/err404-model": "settings",
    "gemini/no-auth": "credentials",
    "acp/claude-err401": "credentials",
    "acp/cline-auth-required": "credentials",
    "acp/codex-err-401": "credentials",
    "acp/gemini-err401": "credentials",
    "acp/goose-err401": "credentials",
  };

  test("exactly these fixtures never started; in all others the agent failed, was lost or ended", () => {
    const found: [string, string | undefined][] = [];
    for (const fixture of loadFixtures()) {
      const record = replay(fixture, capture).at(-1);
      const end = replay(fixture, result).at(-1) as
        | { status: RunStatus | null; reason: string; usage: { output: number | null } }
        | undefined;
      if (record === undefined || end === undefined) continue;
      const isModelSeen = record.trajectory.length > 0 || record.output !== "" || (end.usage.output ?? 0) > 0;
      const judged = judgeTrial(evidence({ ...end, isModelSeen, errors: record.errors ?? [] }));
      if (judged.class === "not_started") found.push([fixture.name, judged.startProblem]);
    }
    expect(Object.fromEntries(found)).toEqual(unstarted);
  });

  test.each([
    ["git", { status: "failed", errors: ["Not inside a trusted directory and --skip-git-repo-check was not specified."] }],
    ["root", { status: "failed", errors: ["--dangerously-skip-permissions cannot be used with root/sudo privileges"] }],
    ["program", { status: "failed", reason: "not-started", errors: ["spawn x ENOENT"] }],
    ["program", { status: "failed", errors: ["Agent process exited with code 127: x: not found"] }],
    ["program", { status: "failed", errors: ["Agent process exited with code 1: Error: claude native binary not installed."] }],
    ["program", { status: "failed", errors: ["Error: Missing optional dependency @openai/codex-linux-x64. Reinstall Codex: npm i"] }],
    ["program", { status: null, isStarted: false, errors: ["Program not found: x"] }],
    ["setup", { status: null, isStarted: false, errors: ["the setup ended with code 3: why"] }],
    [undefined, { status: null, isStarted: false, errors: ["the workspace could not be prepared: ENOSPC"] }],
    [undefined, { status: "failed", errors: ["Agent process exited with code 1: TypeError: x is undefined"] }],
    [undefined, { status: "crashed", errors: ["Not logged in"] }],
    [undefined, { status: "infrastructure", errors: ["429 Too Many Requests"] }],
    [undefined, { status: "failed", isModelSeen: true, errors: ["Not logged in · Please run /login"] }],
    [undefined, { status: "infrastructure", isModelSeen: true, errors: ["401 Unauthorized"] }],
  ] as const)("%s: %j", (problem, fields) => {
    expect(judgeTrial(evidence({ isModelSeen: false, ...fields })).startProblem).toBe(problem);
  });
});
