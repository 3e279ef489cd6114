import { describe, expect, test, vi } from "vitest";
import { plainOf } from "../../../src/app/terminal/index.ts";
import { rendered } from "../../../src/app/terminal/sequences.ts";
import { type LiveAccount, liveAccount } from "../../../src/app/tui/account/live-account.ts";
import { runState } from "../../../src/app/tui/account/run-state.ts";
import { statusLine } from "../../../src/app/tui/account/status-line.ts";
import { hideSecrets } from "../../../src/host/secrets/index.ts";
import { columnsOf } from "../../../src/pure/base/text.ts";
import type { EventBody } from "../../../src/pure/events/event.ts";
import { loadFixtures } from "../../support/fixtures.ts";
import { screen } from "../../support/screen.ts";
import { command, ended, events, fixture, rows, runEnd, says, start } from "./account-events.ts";

const options = { animate: true, columns: () => 60, now: () => 0, startedAt: 0 };

describe("the rows of a recorded run", () => {
  test("claude/full", async () => {
    expect(await rows(fixture("claude/full", "Create a notes file.\nThen read it back."))).toBe(`\
◆ claude  claude-opus-5-5 · /workspace
  session 2c39a9c9-d42b-40ec-9416-3773e6410287 · version 2.1.325

❯ Create a notes file.
  Then read it back.

∴ I should first write the notes file.
● I'll create a notes file.
✓ write notes.txt  75 ms

● Now read it back.
✓ read notes.txt:2-3
✗ search "needle"
  Error: No such tool available: Grep. Grep is not available in this session — search file contents…
✗ search "**/*.js"
  Error: No such tool available: Glob. Glob is not available in this session — find files with \`fin…
✗ list .
  Error: No such tool available: LS

● Run a command.
✓ $ echo hello-stdout && echo warn 1>&2  304 ms
✗ $ echo about-to-fail; exit 3  exit 3  229 ms
  about-to-fail
✓ write notes.txt

● Delegating.
▸ general-purpose: Count lines
│ ❯ [[SCRIPT:sub1]] Count the lines of README.md
│ ✓ read README.md  54 ms
│ ✓ $ wc -l README.md
✓ general-purpose  442 ms
✗ read does-not-exist.txt
  File does not exist. Note: your current working directory is /workspace.
✓ read README.md  53 ms
✓ search "needle" in src  62 ms
✗ Read wrong: true
  InputValidationError: Read failed due to the following issues:
✗ NoSuchTool a: 1
  Error: No such tool available: NoSuchTool
✗ Bash __unparsedToolInput: {raw: {"command": "echo bad json, len: 26}
  InputValidationError: Bash was called with input that could not be parsed as JSON.
✗ write notes.txt
  String to replace not found in file.

∴ All done.
● Finished: notes.txt created and edited. ✅

✓ completed
  2.5 s · 18 tool calls · 1 subagent · $0.0374
  tokens: 2,560 input · 11,700 cache read · 2,650 cache write · 579 output
`);
  });

  test("codex/full: the shell wrapper is removed, known noise is one row", async () => {
    expect(await rows(fixture("codex/full"), 60)).toBe(`\
◆ codex
  session 01a1dd10-9b1b-7e32-be78-ae59cf40564f

∴ **Planning**
  I should write the file.
● I'll create a notes file.
✓ write /workspace/notes.txt, /workspace/src/extra.js
✓ read notes.txt
✓ read notes.txt:1-2
✓ search "needle" in src
✓ search "needle"
✓ list src
✓ search "*.js"
✓ $ echo hello-stdout && echo warn 1>&2
✗ $ echo about-to-fail; exit 3  exit 3
  about-to-fail
✓ write /workspace/README.md, /workspace/notes.txt, /worksp…
– web_search query: weather, action: {type: search, query: …

● searched
✗ $ no_such_binary_xyz  exit 127
  /bin/bash: line 1: no_such_binary_xyz: command not found

∴ All done.
● Finished: notes.txt created and edited. ✅
! WARNING: proceeding, even though we could not create PATH…
! Reading additional input from stdin...
! 2026-11-15T02:36:56.487005Z ERROR codex_core::tools::rout…
! 2026-11-15T02:36:56.566441Z ERROR codex_core::tools::rout…
! 2026-11-15T02:36:56.593975Z ERROR codex_core::tools::rout…
! 2026-11-15T02:36:56.595424Z ERROR codex_core::tools::rout…
! 2026-11-15T02:36:56.596644Z ERROR codex_core::tools::rout…

✓ completed
  1.9 s · 12 tool calls
  tokens: 2,320 input · 9,900 cache read · 2,550 cache write
  · 373 output · 132 reasoning
`);
  });

  test("claude/subagent-bg: a subagent is named again after another one wrote", async () => {
    expect(await rows(fixture("claude/subagent-bg"))).toBe(`\
◆ claude  claude-opus-5-5 · /workspace
  session e68eab01-e7c0-4d83-9cd7-457a202afd67 · version 2.1.325

● Start background agent.
▸ Explore: Bg count

● Waiting for the agent.
│ Explore
│ ● looking
│ ✓ read README.md
│ ● 5 lines.
✓ Explore  534 ms

● Background agent reported 5 lines.

✓ completed
  1.3 s · 2 tool calls · 1 subagent · $0.0083
  tokens: 600 input · 4,500 cache read · 250 cache write · 185 output
`);
  });

  test("codex/plan-tool: a plan is a checklist, shown when it changes, instead of its call", async () => {
    expect(await rows(fixture("codex/plan-tool"))).toContain(`

≡ plan  1 of 2
  ✓ one
  ○ two
≡ plan  2 of 2
  ✓ one
  ✓ two
● done
! `);
  });

  test("claude/permission-denied: blocked, and the flag that helps", async () => {
    expect(await rows(fixture("claude/permission-denied"))).toContain(`
✗ write denied2.txt  permission denied  55 ms
  Claude requested permissions to write to /workspace/denied2.txt, but you haven't granted it yet.

● Could not.

■ blocked  permission-refused
  The agent needed a permission and did not get it. To allow everything, pass --permissions full
  1.2 s · 2 tool calls · $0.0049
`);
    expect(await rows(fixture("claude/hook-blocks-prompt"))).not.toContain("--permissions");
  });

  test("generic/plain-text: plain lines, without repeating the last lines", async () => {
    expect(await rows(fixture("generic/plain-text"))).toBe(`\
◆ generic

  Working on it.
✗ ERROR: could not open the file
! [warn] slow disk
! 2026-01-01T00:00:00Z WARN core: retrying
  errors were found in 3 files
✗ boom
  {"progress":0.5}
  [1,2]
  progress\\r50%
  last${" "}words

✗ failed  exit code 3
`);
  });

  test("every fixture has a heading, a verdict and no row that is too wide", async () => {
    for (const { name } of loadFixtures()) {
      const text = await rows(fixture(name), 60);
      expect(text, name).toMatch(/^◆ \w+/);
      expect(text, name).toMatch(/\n\n[✓✗■–] (?:completed|failed|blocked|canceled|crashed|infrastructure|unknown)(?: {2}.*)?\n(?: .*\n)*$/);
      expect(Math.max(...text.split("\n").map(columnsOf)), name).toBeLessThanOrEqual(60);
    }
  });
});

describe("the rows of an event", () => {
  test("operations as text", async () => {
    const call = (callId: string, operations: unknown): EventBody =>
      ({ type: "tool-start", callId, tool: "T", input: {}, operations }) as EventBody;
    const text = await rows(
      events(
        start,
        call("1", [{ kind: "read", path: "/w/src/a.ts", startLine: 1, endLine: 20 }]),
        ended("1"),
        call("2", [
          { kind: "read", path: "/w/a" },
          { kind: "read", path: "/etc/b", startLine: 7 },
        ]),
        ended("2"),
        call("3", [{ kind: "search", query: "foo", path: "/w/src", emptyExit: 1 }]),
        ended("3", { success: false, exitCode: 1 }),
        call("4", [{ kind: "list" }, { kind: "search", query: "x" }]),
        ended("4", {}),
        call("5", [{ kind: "skill", path: "/s/SKILL.md", skillName: "demo" }]),
        ended("5"),
        call("6", [{ kind: "command", command: `bash -lc "npm test"`, workingDirectory: "/w/sub" }]),
        ended("6", { success: false, exitCode: 1, output: "Exit code 1\n\n<error>  broken  </error>" }),
        call("7", [{ kind: "command", command: `bash -c 'echo "$HOME"; it'\\''s'` }]),
        ended("7", { interrupted: true, success: undefined }),
        call("8", [{ kind: "write", path: "/w/asked" }]),
        ended("8", { operations: [{ kind: "write", path: "/w/done", startLine: 3, endLine: 3 }] }),
        call("9", [
          { kind: "read", path: "/w/a" },
          { kind: "read", path: "/w/b" },
        ]),
        ended("9", { success: false, output: "fine\nnot there", endings: [{ success: true }, { success: false }] }),
      ),
    );
    expect(text).toBe(`\
◆ claude  /w

✓ read src/a.ts:1-20  100 ms
✓ read a, /etc/b:7-  100 ms
✓ search "foo" in src  no match  100 ms
✓ list ., search "x"  100 ms
✓ skill demo  100 ms
✗ $ npm test (in sub)  exit 1  100 ms
  broken
– $ bash -c 'echo "$HOME"; it'\\''s'  did not end  100 ms
✓ write done:3  100 ms
✗ read a, b  1 of 2 failed  100 ms
`);
  });

  test("messages: whole, folded, repeated", async () => {
    const long = Array.from({ length: 203 }, (_, i) => `line ${i + 1}`).join("\r\n");
    const text = await rows(
      events(
        start,
        { type: "reasoning", text: "one\n\ntwo\nthree" },
        { type: "reasoning", text: "", redacted: true },
        says(`\n\n${long}\n\n`),
        says("again", { repeats: true }),
        { type: "message", role: "system", text: "put in\nby the program" },
        { type: "message", role: "user", text: "next" },
      ),
    );
    expect(text).toContain("\n∴ one\n  two …\n● line 1\n  line 2\n");
    expect(text).toContain("\n  line 200\n  … 3 more lines\n· the same text again, after a retry\n");
    expect(text).toMatch(/\n· put in ⏎ by the program\n\n❯ next\n$/);
  });

  test("the text of a result is shown if no message was", async () => {
    expect(await rows(events(start, { type: "result", text: "42" }))).toContain("\n● 42\n");
    expect(await rows(events(start, says("42."), { type: "result", text: "42" }))).not.toContain("42\n");
    expect(await rows(events(start, { type: "error", message: "no" }, { type: "result", text: "no" }))).not.toContain("●");
  });

  test("subagents of subagents, and permissions and compaction", async () => {
    const text = await rows(
      events(
        start,
        { type: "subagent-start", subagentId: "s1", name: "outer", description: "all" },
        { type: "subagent-start", subagentId: "s2", parent: "s1" },
        says("deep", { parent: "s2" }),
        says("shallow", { parent: "s1" }),
        { type: "subagent-end", subagentId: "s2", success: false },
        { type: "subagent-end", subagentId: "s1" },
        { type: "permission-request", tool: "Bash" },
        { type: "permission-decision", decision: "allow", tool: "Bash" },
        { type: "permission-decision", decision: "deny", tool: "Write", reason: "not here" },
        { type: "compaction", trigger: "auto", tokensBefore: 150_000 },
        { type: "session", model: "other" },
        { type: "notice", kind: "hook_started", message: "PreToolUse:Bash" },
        { type: "notice", kind: "informational", message: "a notice" },
      ),
    );
    expect(text).toBe(`\
◆ claude  /w

▸ outer: all
│ ▸ subagent s2
│ │ ● deep
│ outer
│ ● shallow
│ ✗ subagent s2  300 ms
– outer  500 ms
? asks for permission: Bash
✓ permission given: Bash
✗ permission denied: Write: not here
· the conversation of 150k tokens was shortened (auto)
· model other
· a notice
`);
  });

  test("a failure shows its last lines, unless they stand just above", async () => {
    const failed = runEnd({ status: "failed", reason: "exit-code", exitCode: 1, tail: "first\nlast" });
    expect(await rows(events(start, failed))).toMatch(/\n✗ failed {2}exit code 1\n {2}1\.0 s\n {2}last lines:\n {2}│ first\n {2}│ last\n$/);
    expect(await rows(events(start, { type: "warning", message: "last" }, failed))).not.toContain("last lines");
    const timedOut = runEnd({ status: "timed_out", reason: "timeout", durationMs: 3_725_000 });
    expect(await rows(events(start, timedOut))).toContain("\n✗ timed out  timeout\n  1 h 02 m\n");
    expect(await rows(events(start, runEnd({ status: null, reason: "nothing-known" })))).toContain("\n– unknown  nothing-known\n");
  });
});

describe("the status line", () => {
  const at = (state: ReturnType<typeof runState>, ms: number, columns = 60) =>
    plainOf(statusLine(state, { elapsed: ms, now: ms, columns }));
  const tokens = { input: 2560, cacheRead: 11700, cacheWrite: 2650, output: 500, reasoning: 79 };

  function seen(now: number, ...bodies: readonly EventBody[]) {
    const state = runState();
    for (const record of events(start, ...bodies)) state.see(record, now);
    return state;
  }

  test("starting, then only what is known", () => {
    expect(at(seen(0), 300)).toBe("⠸ 0 s · starting claude");
    expect(at(seen(0, { type: "session", sessionId: "s" }), 61_000)).toBe("⠋ 1 m 01 s");
  });

  test("tokens so far", () => {
    const usage: EventBody = { type: "usage", scope: "total", tokens };
    expect(at(seen(0, usage), 12_345)).toBe("⠸ 12 s · 16.9k in, 579 out");
    expect(at(seen(0, usage, { ...usage, scope: "step" }), 0)).toBe("⠋ 0 s · 33.8k in, 1,158 out");
    expect(at(seen(0, usage), 12_345, 24)).toBe("⠸ 12 s");
  });

  test("open calls: the newest with its time, and how many more", () => {
    const one = seen(0, command("a", "npm test"));
    expect(at(one, 1900)).toBe("⠏ 1 s · $ npm test");
    expect(at(one, 2000)).toBe("⠋ 2 s · $ npm test  2 s");
    const two = seen(0, command("a", "npm test"), command("b", "ls"));
    expect(at(two, 0)).toBe("⠋ 0 s · $ ls  +1 more");
    for (const record of events(ended("b"))) two.see(record, 0);
    expect(at(two, 0)).toBe("⠋ 0 s · $ npm test");
    for (const record of events(ended("a"))) two.see(record, 0);
    expect(at(two, 0)).toBe("⠋ 0 s");
    expect(two.calls.size).toBe(0);
  });

  test("the end of a message while it is written", () => {
    const delta = (text: string): EventBody => ({ type: "text-delta", text, messageId: "m" });
    const state = seen(0, { type: "reasoning-delta", text: "let me think" });
    expect(at(state, 0)).toBe("⠋ 0 s · ∴ let me think");
    for (const record of events(delta("Long\nago "), delta("there was\n\n"), delta("a status line"))) state.see(record, 0);
    expect(at(state, 0)).toBe("⠋ 0 s · Long ago there was a status line");
    expect(at(state, 0, 30)).toBe("⠋ 0 s · …re was a status line");
    for (const record of events(says("Long ago there was a status line"))) state.see(record, 0);
    expect(at(state, 0)).toBe("⠋ 0 s");
  });

  test("a subagent's call shows its progress; a plan's call does not hide the activity", () => {
    const agent: EventBody = { type: "tool-start", callId: "t", tool: "Agent", input: {}, operations: [] };
    const subagent: EventBody = { type: "subagent-start", subagentId: "s", callId: "t" };
    const state = seen(0, agent, subagent, { type: "tool-progress", callId: "t", message: "Reading a.txt" });
    expect(at(state, 0)).toBe("⠋ 0 s · Reading a.txt");
    const from = [{ record: 7, stream: "stdout", offset: 0, length: 1 }] as const;
    const todo: EventBody = { type: "tool-start", callId: "p", tool: "todo", input: {}, operations: [], from };
    const planned = seen(0, todo, { type: "plan", items: [], from });
    expect(at(planned, 0)).toBe("⠋ 0 s");
  });
});

describe("on a screen", () => {
  test("the status follows the rows, is erased before the next, and is gone in the end", async () => {
    const terminal = screen(60);
    let clock = 0;
    const account = onto(terminal, { now: () => clock });
    await account.push(events(start, { type: "session", sessionId: "s" }, command("a", "npm test")));
    expect(terminal.text()).toBe("◆ claude  /w\n  session s\n⠋ 0 s · $ npm test");
    clock = 3000;
    await account.ticked();
    expect(terminal.text()).toBe("◆ claude  /w\n  session s\n⠋ 3 s · $ npm test  3 s");
    expect(terminal.column()).toBe(0);
    await account.push(events(ended("a")));
    expect(terminal.text()).toBe("◆ claude  /w\n  session s\n\n✓ $ npm test\n⠋ 3 s");
    await account.end();
    expect(terminal.text()).toBe("◆ claude  /w\n  session s\n\n✓ $ npm test");
    await account.push(events(says("late")));
    expect(terminal.text()).toBe("◆ claude  /w\n  session s\n\n✓ $ npm test\n\n● late");
    expect(terminal.overflows()).toBe(0);
  });

  test("a finished run has no status, even before end() is called", async () => {
    const terminal = screen(60);
    const account = onto(terminal);
    await account.push(events(start, runEnd()));
    expect(terminal.text()).toBe("◆ claude  /w\n\n✓ completed\n  1.0 s");
    await account.end();
  });

  test("deltas alone write nothing: the line is redrawn by the clock", async () => {
    let writes = 0;
    const began = performance.now();
    const account = liveAccount({ ...options, out: { write: async () => void writes++ } });
    for (let i = 0; i < 10_000; i++) await account.push(events({ type: "text-delta", text: "x" }));
    expect(writes).toBeLessThanOrEqual((performance.now() - began) / 100 + 1);
    await account.end();
  });

  test("slow writes: one at a time, in order, without a queue of frames", async () => {
    const terminal = screen(40);
    let underWay = 0;
    const most = { underWay: 0, writes: 0 };
    const release: (() => void)[] = [];
    const out = {
      write: async (text: string) => {
        most.underWay = Math.max(most.underWay, ++underWay);
        most.writes++;
        await new Promise<void>((resolve) => release.push(resolve));
        terminal.write(rendered(hideSecrets(text), true));
        underWay--;
      },
    };
    const account = liveAccount({ ...options, columns: () => 40, out });
    const pushes = [
      account.push(events(start, { type: "session", sessionId: "s" })),
      ...Array.from({ length: 20 }, (_, i) => account.push(events(says(`message ${i}`)))),
    ];
    await vi.waitFor(() => expect(release).toHaveLength(1));
    await new Promise((resolve) => setTimeout(resolve, 350)); // three ticks pass while the first write is stuck
    expect(most.writes).toBe(1);
    const pump = setInterval(() => release.shift()?.(), 1);
    await Promise.all(pushes);
    await account.end();
    clearInterval(pump);
    expect(most.underWay).toBe(1);
    const said = Array.from({ length: 20 }, (_, i) => `● message ${i}`).join("\n");
    expect(terminal.text()).toBe(`◆ claude  /w\n  session s\n\n${said}`);
  });

  test("a huge batch is written in pieces", async () => {
    const pieces: number[] = [];
    const account = liveAccount({ ...options, out: { write: async (text) => void pieces.push(text.length) } });
    await account.push(events(start, ...Array.from({ length: 3000 }, () => says("many words ".repeat(50)))));
    await account.end();
    expect(pieces.length).toBeGreaterThan(4);
    expect(Math.max(...pieces)).toBeLessThan(512 * 1024);
  });

  test("a screen that fails rejects the push, and everything after it", async () => {
    const out = { write: () => Promise.reject(new Error("gone")) };
    const account = liveAccount({ ...options, out });
    await expect(account.push(events(start, says("x")))).rejects.toThrow("gone");
    await expect(account.push(events(says("y")))).rejects.toThrow("gone");
    await expect(account.end()).rejects.toThrow("gone");
    const silent = liveAccount({ ...options, out });
    await vi.waitFor(() => expect(silent.push([])).rejects.toThrow("gone"), { timeout: 20_000 }); // a tick has failed
  });

  test("its timer does not keep the process alive", async () => {
    const spy = vi.spyOn(globalThis, "setInterval");
    try {
      const account = liveAccount({ ...options, out: { write: async () => {} } });
      expect(spy).toHaveBeenCalledOnce();
      expect(spy.mock.results[0]?.value.hasRef()).toBe(false);
      await account.end();
    } finally {
      spy.mockRestore();
    }
  });
});

/** An account on a screen; `ticked` waits for the next frame of the timer. */
function onto(terminal: ReturnType<typeof screen>, more: Partial<typeof options> = {}): LiveAccount & { ticked(): Promise<void> } {
  let waiting: (() => void) | undefined;
  const write = async (text: string) => {
    terminal.write(rendered(hideSecrets(text), true));
    waiting?.();
  };
  const account = liveAccount({ ...options, ...more, out: { write } });
  return { ...account, ticked: () => new Promise((resolve) => (waiting = resolve)) };
}
