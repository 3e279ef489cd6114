import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { plainOf } from "../../../src/app/terminal/index.ts";
import { runState } from "../../../src/app/tui/account/run-state.ts";
import { statusLine } from "../../../src/app/tui/account/status-line.ts";
import { columnsOf } from "../../../src/pure/base/text.ts";
import type { EventBody } from "../../../src/pure/events/event.ts";
import type { LogRecord } from "../../../src/pure/events/index.ts";
import { bash, cleanUp, directory, hasTerminal, ROOT } from "../../support/harness.ts";
import { hostile } from "../../support/hostile.ts";
import { screen } from "../../support/screen.ts";
import { command, ended, events, fixture, rows, runEnd, SGR, says, start } from "./account-events.ts";

afterAll(cleanUp);

/** The sequences of the status line. */
const DRAWING = /\x1b\[(?:K|J|\?7l|\?7h|\?2026[hl])|\r/g;

/** Puts the text everywhere an agent can put text. */
function everywhere(text: string): LogRecord[] {
  const from = [{ record: 1, stream: "stderr", offset: 0, length: 1 }] as const;
  const operations = [
    { kind: "read", path: `/w/${text}` },
    { kind: "write", path: text, startLine: 1 },
    { kind: "search", query: text, path: text },
    { kind: "list", path: text },
    { kind: "command", command: text, workingDirectory: text },
    { kind: "skill", path: text, skillName: text },
  ] as const;
  return events(
    { type: "run-start", agent: "claude", cwd: `/w${text}`, model: text, prompt: `${text} prompt\n${text}` },
    { type: "session", sessionId: text, model: text, cwd: `/w${text}`, agentVersion: text },
    { type: "session", sessionId: `${text}2`, model: `${text}2`, cwd: `${text}2` },
    { type: "text-delta", text },
    { type: "reasoning-delta", text },
    { type: "reasoning", text },
    says(text),
    says(text, { raw: text }),
    { type: "message", role: "user", text },
    { type: "message", role: "system", text },
    { type: "tool-start", callId: text, tool: text, input: { [text]: text, a: [text, { b: text }] }, operations: [] },
    { type: "tool-progress", callId: text, message: text },
    { type: "permission-decision", callId: text, tool: text, decision: "deny", reason: text },
    ended(text, { success: false, output: `${text}\n${text}`, exitCode: 1 }),
    ...operations.flatMap((operation, i): EventBody[] => [
      { type: "tool-start", callId: `o${i}`, tool: text, input: {}, operations: [operation] },
      ended(`o${i}`, { success: false, output: `{"${text}": "x"` }),
    ]),
    { type: "tool-start", callId: "all", tool: text, input: text, operations },
    { type: "subagent-start", subagentId: text, name: text, callId: "all", description: text },
    says(text, { parent: text }),
    { type: "subagent-start", subagentId: `${text}3`, parent: text },
    says(text, { parent: `${text}3` }),
    says(text, { parent: text }),
    { type: "subagent-end", subagentId: `${text}3` },
    { type: "subagent-end", subagentId: text, success: false },
    ended("all", { success: false, output: text }),
    ended(`never-${text}`),
    {
      type: "plan",
      items: [
        { text, status: "pending" },
        { text, status: "in_progress" },
        { text, status: "completed" },
      ],
    },
    { type: "permission-request", tool: text },
    { type: "permission-decision", tool: text, decision: "deny", reason: text },
    { type: "compaction", trigger: text },
    { type: "notice", kind: text, message: `a ${text}` },
    { type: "tool-progress", callId: `gone-${text}`, message: text, state: text },
    { type: "warning", message: text, code: text },
    { type: "warning", message: text, code: text, from },
    { type: "error", message: text, code: text },
    { type: "unknown", raw: text },
    { type: "unknown", raw: { [text]: [text] } },
    { type: "result", text },
    runEnd({ status: "failed", reason: text, signal: text, tail: `${text}\ntail ${text}` }),
  );
}

/** Every status line of a run. */
function statusLines(records: readonly LogRecord[], columns: number): string[] {
  const state = runState();
  return records.map((record) => {
    state.see(record, 0);
    return statusLine(state, { elapsed: 5000, now: 5000, columns });
  });
}

describe("hostile text is made harmless", () => {
  test.each(Object.entries(hostile))("%s", async (_, text) => {
    const records = everywhere(text);
    const shown = `${await rows(records)}${plainOf(statusLines(records, 100).join("\n"))}`;
    expect(shown.match(/[^\n\P{Cc}]|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}/gu) ?? []).toEqual([]);
    expect(shown).toMatch(/\\u\{[0-9a-f]+\}|\\r/);
  });

  test("a pile of accents does not paint over other rows", async () => {
    expect(await rows(everywhere(`e${"\u0301".repeat(500)}`))).not.toMatch(/\p{Mn}{9}/u);
  });
});

describe("no row is wider than the screen", () => {
  const character = fc.oneof(
    fc.constantFrom(
      "a",
      " ",
      "\n",
      "\t",
      "世",
      "👍",
      "é",
      "e\u0301",
      "\u0903",
      "✔️",
      "☰",
      "｡",
      "\r",
      "\x1b[31m",
      "\u202e",
      "/",
      "\u{1f1e9}",
    ),
    fc.string({ unit: "binary", maxLength: 2 }),
  );
  const text = fc.array(character, { maxLength: 200 }).map((parts) => parts.join(""));

  test("for any text, at any width from 20 columns", async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 20, max: 140 }), async (words, columns) => {
        const shown = await rows(everywhere(words), columns);
        for (const row of shown.split("\n")) expect(columnsOf(row)).toBeLessThanOrEqual(columns);
      }),
      { numRuns: 150 },
    );
  });

  const tokens = { input: 123_456, cacheRead: null, cacheWrite: null, output: 99, reasoning: null };
  const usage: EventBody = { type: "usage", scope: "total", tokens };

  test("and the status line leaves the last column free, at any width", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 140 }), (words, columns) => {
        for (const line of statusLines([...events(usage), ...everywhere(words)], columns)) {
          expect(columnsOf(plainOf(line))).toBeLessThan(columns);
          expect(line).not.toContain("\n");
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe("everything is bounded", () => {
  const LONG = 16 * 1024 * 1024;

  test.each([
    ["one word", "x".repeat(LONG)],
    ["words", "hello world ".repeat(LONG / 12)],
    ["lines", "a\n".repeat(LONG / 2)],
    ["wide characters", "世".repeat(LONG / 2)],
    ["escapes", "\x1b".repeat(LONG)],
    ["blanks", `${" ".repeat(LONG)}x`],
    ["accents", `e${"\u0301".repeat(LONG)}`],
  ])("16 MB of %s in every place are shown in part, and soon", async (_, text) => {
    const began = performance.now();
    const shown = await rows(everywhere(text), 80);
    expect(performance.now() - began).toBeLessThan(15_000); // 1 to 2 s on a quiet machine, for sixty times 16 MB
    expect(shown.split("\n").length).toBeLessThan(1500);
    expect(shown.length).toBeLessThan(200_000);
  });

  test("circular ids end", async () => {
    const circle = events(
      { type: "tool-start", callId: "x", tool: "T", input: {}, operations: [], parent: "x" },
      { type: "subagent-start", subagentId: "x", callId: "x", parent: "x" },
      { type: "subagent-start", subagentId: "y", parent: "x" },
      { type: "subagent-start", subagentId: "x", parent: "y" },
      says("hello", { parent: "x" }),
      { type: "subagent-end", subagentId: "x", parent: "x" },
      ended("x"),
    );
    expect(await rows(circle)).toContain("● hello");
  });

  test("finished calls and subagents are forgotten", () => {
    const state = runState();
    for (let i = 0; i < 10_000; i++) for (const record of events(command(`c${i}`, "ls"), ended(`c${i}`))) state.see(record, 0);
    expect(state.calls.size).toBe(0);
  });
});

/** A program that shows the records of a file. */
const PROGRAM = `
  import { readFileSync } from "node:fs";
  import { write } from "./src/app/terminal/index.ts";
  import { liveAccount } from "./src/app/tui/account/live-account.ts";
  const account = liveAccount({ out: { write }, animate: process.stdout.isTTY, columns: () => process.stdout.columns, now: () => performance.now() });
  for (const record of JSON.parse(readFileSync(process.argv[2], "utf8"))) {
    await account.push([record]);
    if (record.type.startsWith("tool")) await new Promise((resolve) => setTimeout(resolve, process.argv[3]));
  }
  await account.end();
`;

describe("as a program", () => {
  let program = "";

  beforeAll(async () => {
    program = join(directory(), "account.mjs");
    const banner = { js: `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);` };
    const stdin = { contents: PROGRAM, resolveDir: ROOT, loader: "ts" } as const;
    await build({ stdin, bundle: true, platform: "node", format: "esm", outfile: program, banner, logLevel: "silent" });
  });

  /** Pauses at every call, so that the status line is drawn. */
  function shows(records: readonly LogRecord[], columns: number, { pause, ...env }: { pause: number; NO_COLOR?: string }) {
    const file = join(directory(), "records.json");
    writeFileSync(file, JSON.stringify(records));
    const line = `stty cols ${columns} rows 40; exec ${process.execPath} ${program} ${file} ${pause}`;
    return bash(`script -qec '${line}' /dev/null`, { env: { TERM: "xterm", ...env } });
  }

  test.runIf(hasTerminal).each([100, 60])("a terminal of %i columns shows the rows and nothing else", async (columns) => {
    const records = fixture("claude/full-partial", "Do it.");
    const { stdout } = await shows(records, columns, { pause: 20 });
    const terminal = screen(columns);
    terminal.write(stdout);
    expect(terminal.text()).toBe((await rows(records, columns)).trimEnd());
    expect(terminal.overflows()).toBe(0);
    expect(stdout).toContain("\x1b[32m✓");
    expect(stdout).toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/);
  });

  test.runIf(hasTerminal)("only our sequences reach the terminal; with NO_COLOR, no colors", async () => {
    const records = Object.values(hostile).flatMap(everywhere);
    const { stdout } = await shows(records, 80, { pause: 1 });
    const rest = stdout.replaceAll("\r\n", "\n").replace(SGR, "").replace(DRAWING, "");
    expect(rest.match(/[^\n\P{Cc}]|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}/gu) ?? []).toEqual([]);
    expect((await shows(events(start, says("x")), 80, { pause: 1, NO_COLOR: "1" })).stdout).not.toMatch(SGR);
  });
});
