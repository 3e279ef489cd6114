import { describe, expect, test } from "vitest";
import { goose } from "../../../src/work/conformance/agents/goose.ts";
import type { Expected } from "../../../src/work/conformance/corpus-scenario.ts";
import { judge } from "../../../src/work/conformance/judge.ts";
import type { SeenRun } from "../../../src/work/conformance/judgement.ts";

/** A judge that accepts everything is worthless, so these tests break each compared value once. */

type Change = (run: ReturnType<typeof good>) => void;

const tokens = { input: 5, cacheRead: 4, cacheWrite: 3, output: 2, reasoning: 1 };

function good() {
  const read = { type: "read", path: "/w/a.txt", isSuccess: true };
  const command = { type: "command", command: "exit 3", exitCode: 3, isSuccess: false };
  return {
    scenario: { scripts: [{ marker: "m", turns: 2 }], watch: ["needle"] },
    agent: {
      noise: ["hum"],
      counts: ["main"] as const,
      countsFailures: true,
      showsExitCodes: true,
      showsSubagents: true,
      skillsAreFiles: false,
    },
    expected: {
      status: "completed",
      operations: [{ read: "a.txt" }, { command: "exit 3", success: false, exitCode: 3 }] as unknown,
      calls: { succeeded: 1, failed: 1 } as unknown,
      messages: ["Hi."],
      subagents: { started: 1, completed: 1 },
      warnings: ["retry"],
      errors: ["went wrong"],
      unknown: 0,
      usage: "ledger" as unknown,
      files: {} as Record<string, string | null>,
    },
    run: {
      activity: [
        { type: "agent", message: "Hi." },
        command,
        read,
        { type: "orchestration", action: "subagent_completed" },
        { type: "orchestration", action: "subagent_started" },
        { type: "warning", code: "hum", message: "noise" },
        { type: "warning", code: "retry", message: "again" },
        { type: "error", message: "It went wrong there." },
        { type: "agent", message: "Sub.", subagentId: "s" },
      ] as Record<string, unknown>[],
      stream: [
        { type: "ToolEnd", success: true },
        { type: "ToolEnd", success: false },
        { type: "ToolEnd", success: true, subagent_id: "s" },
      ] as Record<string, unknown>[],
      result: { status: "completed", usage: { ...tokens } as Record<string, number | null>, partialUsage: undefined as unknown },
      ledger: [
        { kind: "main", marker: "m", turn: 0, usage: tokens, seen: ["needle"] },
        { kind: "main", marker: "m", turn: 1, usage: null, seen: [] as string[] },
        { kind: "subagent", marker: "m/x", turn: 0, usage: null as object | null, seen: [] as string[] },
      ],
      continues: [] as boolean[],
      workspace: "/w",
      exitCode: 0,
      live: { stdout: "a\nb\n" },
      derived: { stdout: "a\nb\n" },
    },
  };
}

function judged(change: Change): ReturnType<typeof judge> {
  const made = good();
  change(made);
  return judge(made.scenario, { ...goose, ...made.agent }, made.expected as unknown as Expected, made.run as unknown as SeenRun);
}

function set(target: object | undefined, values: object): void {
  Object.assign(target ?? {}, values);
}

const wrong: readonly (readonly [what: string, change: Change, sentence: string])[] = [
  ["a different status", ({ run }) => set(run.result, { status: "failed" }), 'status: expected "completed", found "failed"'],
  ["a different exit code", ({ run }) => set(run, { exitCode: 1 }), "exit code of harness run: expected 0, found 1"],
  ["a missing operation", ({ run }) => void run.activity.splice(1, 1), 'missing operation: {"type":"command"'],
  [
    "an extra operation",
    ({ run }) => void run.activity.push({ type: "list", path: "/w" }),
    'unexpected operation: {"type":"list","what":"."',
  ],
  ["a repeated operation", ({ run }) => void run.activity.push({ type: "read", path: "a.txt", isSuccess: true }), "unexpected operation"],
  ["a failed operation", ({ run }) => set(run.activity[2], { isSuccess: false }), "missing operation"],
  ["an operation without a reported end", ({ run }) => void delete run.activity[2]?.["isSuccess"], "missing operation"],
  ["a different exit code of a command", ({ run }) => set(run.activity[1], { exitCode: 4 }), "missing operation"],
  ["a call with a different end", ({ run }) => set(run.stream[1], { success: true }), "calls that succeeded: expected 1, found 2"],
  ["a call with an unknown end", ({ run }) => set(run.stream[1], { success: null }), "calls with an unknown end: expected 0, found 1"],
  [
    "an exit code from an agent that reports none",
    ({ agent }) => set(agent, { showsExitCodes: false }),
    'missing operation: {"type":"command","what":"exit 3","success":null}',
  ],
  [
    "hidden work of a subagent",
    ({ expected }) => set(expected, { operations: [{ read: "b.txt", subagent: true }] }),
    'missing operation: {"type":"read","what":"b.txt"',
  ],
  [
    "a skill that is a file",
    ({ agent, expected }) => {
      set(agent, { skillsAreFiles: true });
      set(expected, { operations: [{ skill: "hi" }] });
    },
    'missing operation: {"type":"read","what":".agents/skills/hi/SKILL.md","success":true}',
  ],
  [
    "a different exit code of a canceled run",
    ({ run, expected }) => {
      set(run, { exitCode: 143 });
      set(run.result, { status: "canceled" });
      set(expected, { status: "canceled", signal: "SIGINT" });
    },
    "exit code of harness run: expected 130, found 143",
  ],
  ["a missing message", ({ run }) => void run.activity.shift(), 'missing message: "Hi."'],
  ["a repeated message", ({ run }) => void run.activity.push({ type: "agent", message: "Hi." }), 'unexpected message: "Hi."'],
  ["a message in two", ({ run }) => void run.activity.push({ type: "agent", message: "i." }), 'unexpected message: "i."'],
  ["a missing warning", ({ run }) => void run.activity.splice(6, 1), 'missing warning: "retry"'],
  ["an extra warning", ({ run }) => void run.activity.push({ type: "warning", message: "odd" }), 'unexpected warning: "odd"'],
  ["a different error", ({ run }) => set(run.activity[7], { code: "e" }), 'unexpected error: "e"'],
  ["an unknown event", ({ run }) => void run.activity.push({ type: "unknown" }), "unknown events: expected 0, found 1"],
  ["a subagent that never ended", ({ run }) => void run.activity.splice(3, 1), 'missing subagent: "completed"'],
  ["a turn that was not requested", ({ run }) => void run.ledger.splice(1, 1), "turns of [[m]] that were asked for: expected 2, found 1"],
  ["a turn beyond the script", ({ run }) => set(run.ledger[2], { marker: "m", turn: 2 }), "expected 2, found 3"],
  ["an unknown script", ({ run }) => set(run.ledger[2], { kind: "unknown", marker: "z" }), 'unknown script "z"'],
  ["a text that did not arrive", ({ run }) => set(run.ledger[0], { seen: [] }), 'never reached the model: "needle"'],
  ["tokens that were not charged", ({ run }) => set(run.result.usage, { cacheRead: 5 }), "usage, cacheRead: expected 4, found 5"],
  ["unreported tokens", ({ run }) => set(run.result.usage, { input: null }), "usage, input: expected 5, found null"],
  ["tokens of a subagent that are not reported", ({ run }) => set(run.ledger[2], { usage: tokens }), "usage, input: expected 10, found 5"],
  ["cache writes within the input", ({ run }) => set(run.result.usage, { cacheWrite: null }), "usage, input: expected 8, found 5"],
  ["reasoning inside the output", ({ run }) => set(run.result.usage, { reasoning: null }), "usage, output: expected 3, found 2"],
  ["unexpected usage", ({ expected }) => set(expected, { usage: "unknown" }), "usage, input: expected null, found 5"],
  ["a missing file", ({ expected }) => set(expected, { files: { "none.txt": "x" } }), 'content of none.txt: expected "x", found null'],
  ["a recording that differs", ({ run }) => set(run.derived, { stdout: "a\nc\n" }), 'line 2, stdout: "b"'],
  ["a shorter recording", ({ run }) => set(run.derived, { stdout: "a\n" }), "line 2, stdout"],
];

/** Values that need not be compared, or that only have a different form. */
const fine: readonly (readonly [what: string, change: Change])[] = [
  [
    "anything",
    ({ run, expected }) => {
      set(expected, { operations: "any", calls: "any", messages: "any", errors: "any", warnings: "any", unknown: "any", usage: "any" });
      set(run, { activity: run.activity.filter(({ type }) => type === "orchestration") });
      set(run.result.usage, { input: 99 });
    },
  ],
  [
    "what comes between the parts of a message",
    ({ run }) => {
      set(run.activity[0], { message: "H" });
      run.activity.push({ type: "agent", message: "i." });
      run.continues.push(false, true);
    },
  ],
  [
    "whether it succeeded",
    ({ expected }) =>
      set(expected, {
        operations: [
          { read: "a.txt", success: "any" },
          { command: "exit 3", success: "any" },
        ],
      }),
  ],
  [
    "hidden work of subagents",
    ({ agent, expected }) => {
      set(agent, { showsSubagents: false });
      set(expected, { operations: [{ read: "a.txt" }, { command: "exit 3", success: false }, { read: "b.txt", subagent: true }] });
    },
  ],
  [
    "nothing charged and nothing reported",
    ({ run }) => {
      for (const entry of run.ledger) set(entry, { usage: null });
      set(run.result, { usage: {} });
    },
  ],
];

describe("the judge", () => {
  test("a run that went as its scenario says", () => {
    expect(judged(() => {})).toEqual({
      problems: [],
      coverage: "whole",
      operations: { right: 2, wrong: 0, missing: 0 },
      usage: { input: "equal", cacheRead: "equal", cacheWrite: "equal", output: "equal", reasoning: "equal" },
      status: { expected: "completed", found: "completed" },
    });
  });

  test.each(fine)("%s does not matter", (_what, change) => {
    expect(judged(change).problems).toEqual([]);
  });

  test.each(wrong)("%s", (_what, change, sentence) => {
    expect(judged(change).problems.filter((problem) => problem.includes(sentence))).toHaveLength(1);
  });
});

describe("its counts", () => {
  const operations: readonly (readonly [what: string, change: Change, counts: object])[] = [
    ["a failed one is wrong, not missing", ({ run }) => set(run.activity[2], { isSuccess: false }), { right: 1, wrong: 1, missing: 0 }],
    ["an absent one is missing", ({ run }) => void run.activity.splice(2, 1), { right: 1, wrong: 0, missing: 1 }],
    ["an unexpected one is wrong", ({ run }) => void run.activity.push({ type: "list", path: "/w" }), { right: 2, wrong: 1, missing: 0 }],
    [
      "a replaced one is both",
      ({ run }) => void run.activity.splice(2, 1, { type: "read", path: "/w/b.txt", isSuccess: true }),
      { right: 1, wrong: 1, missing: 1 },
    ],
  ];

  test.each(operations)("of operations: %s", (_what, change, counts) => {
    expect(judged(change).operations).toEqual(counts);
  });

  test("there are none for unpredictable operations", () => {
    expect(judged(({ expected }) => set(expected, { operations: "any" })).operations).toBeNull();
  });

  test("usage class by class: a different one, and one that is part of another", () => {
    const { usage } = judged(({ run }) => set(run.result.usage, { input: 6, output: 3, reasoning: null }));
    expect(usage).toEqual({ input: "differs", cacheRead: "equal", cacheWrite: "equal", output: "equal", reasoning: "within" });
  });

  test("usage that is unknown is not compared with the ledger", () => {
    expect(judged(({ expected }) => set(expected, { usage: "unknown" })).usage).toBeNull();
  });

  test("usage that leaves out the agent's own requests is counted as such, and only if there were any", () => {
    const without = (kind: string) =>
      judged(({ agent, run }) => {
        set(agent, { counts: ["main", "subagent"] });
        set(run.ledger[2], { kind, usage: kind === "side" ? tokens : null });
      });
    expect(without("side")).toMatchObject({ coverage: "threads", problems: [], usage: { input: "equal" } });
    expect(without("subagent").coverage).toBe("whole");
  });

  test("requests after the answer are neither turns nor usage of an agent that makes them for itself", () => {
    const late = (asksAfterwards: boolean) =>
      judged(({ agent, run }) => {
        set(agent, { asksAfterwards });
        run.ledger.push({ kind: "main", marker: "m", turn: 2, usage: tokens, seen: [] });
      });
    expect(late(true)).toMatchObject({ coverage: "threads", problems: [] });
    expect(late(false).problems).toContain("turns of [[m]] that were asked for: expected 2, found 3");
  });

  test("a class that none of the agent's numbers include is absent, and not added to another", () => {
    const { usage, problems } = judged(({ agent, run }) => {
      set(agent, { omits: ["reasoning"] });
      set(run.result.usage, { reasoning: null });
    });
    expect({ usage, problems }).toMatchObject({ usage: { output: "equal", reasoning: "absent" }, problems: [] });
  });

  test("numbers of the scenario that are not the ledger's are counted as exempt", () => {
    const given = (usage: object) =>
      judged(({ expected, run }) => {
        set(expected, { usage });
        set(run.result.usage, usage);
      });
    expect(given({ ...tokens, input: 2 })).toMatchObject({ coverage: "exempt", usage: null, problems: [] });
    expect(given(tokens)).toMatchObject({ coverage: "whole", problems: [] });
  });

  test("usage that may be any is compared, and a difference is counted as exempt", () => {
    const any = (usage: object) =>
      judged(({ expected, run }) => {
        set(expected, { usage: "any" });
        set(run.result.usage, usage);
      });
    expect(any({}).coverage).toBe("whole");
    expect(any({ input: 99 })).toMatchObject({ coverage: "exempt", usage: null, problems: [] });
  });

  test("a request made during the answer may or may not be counted, if the agent makes such requests", () => {
    const beside = (asksAfterwards: boolean) =>
      judged(({ run, agent }) => {
        set(agent, { asksAfterwards, counts: ["main", "side"] });
        run.ledger.push({ ...run.ledger[0], kind: "side", turn: null, usage: tokens } as never);
      });
    expect(beside(true)).toMatchObject({ coverage: "threads", problems: [] });
    expect(beside(false).problems).not.toEqual([]);
  });

  test.each([
    ["the main thread's", "main", tokens],
    ["the last step's", "last-step", tokens],
  ])("U1, U2: a part is compared with %s part of the ledger", (_, covers, part) => {
    const found = judged(({ run }) => {
      set(run.ledger[2], { usage: tokens });
      set(run.result, { usage: {}, partialUsage: { covers, complete: true, tokens: part } });
    });
    expect(found).toMatchObject({ coverage: "part", problems: [], usage: { input: "equal", output: "equal" } });
  });

  test("U3: the numbers of a run that was cut off may be less, never more", () => {
    const cut = (input: number) =>
      judged(({ run }) => set(run.result, { usage: {}, partialUsage: { covers: "run", complete: false, tokens: { ...tokens, input } } }));
    expect(cut(2)).toMatchObject({ coverage: "part", problems: [] });
    expect(cut(6).problems).toEqual(["usage, input: expected 5, found 6"]);
  });
});
