import { describe, expect, test } from "vitest";
import { rendered, sequence } from "../../../src/app/terminal/sequences.ts";
import { fitted, highlighted, plainOf } from "../../../src/app/terminal/styled.ts";
import { frameOf } from "../../../src/app/tui/watch/frame-of.ts";
import { accountWidth, layoutOf } from "../../../src/app/tui/watch/layout.ts";
import { paintFrame } from "../../../src/app/tui/watch/paint-frame.ts";
import { pressKey, settle } from "../../../src/app/tui/watch/press-key.ts";
import { readKeys } from "../../../src/app/tui/watch/read-keys.ts";
import { stepWindow } from "../../../src/app/tui/watch/step-window.ts";
import { openedRun, type WatchState, watchState } from "../../../src/app/tui/watch/watch-state.ts";
import type { WatchedRun } from "../../../src/app/tui/watch/watched-run.ts";
import { damagedRow } from "../../../src/host/recording/index.ts";
import { hideSecrets } from "../../../src/host/secrets/index.ts";
import { columnsOf } from "../../../src/pure/base/text.ts";
import type { LogRecord } from "../../../src/pure/events/index.ts";
import { hostile } from "../../support/hostile.ts";
import { command, ended, events, fixture, runEnd, says, start } from "./account-events.ts";

const NOW = Date.parse("2026-01-01T00:01:00Z");
const unknown = { input: null, cacheRead: null, cacheWrite: null, output: null, reasoning: null };

function run(id: string, rest: Partial<WatchedRun> = {}): WatchedRun {
  const known = { agent: "claude", status: "completed", startedAt: Date.parse("2026-01-01T00:00:00Z"), durationMs: 1000, model: "opus" };
  const used = { costUsd: 0.0123, usage: { ...unknown, input: 16_900, output: 579 }, toolCalls: 3 };
  return { ...damagedRow(id), ...known, ...used, prompt: "Fix it", activity: null, lastAt: null, ...rest };
}

function list(runs: readonly WatchedRun[], rows = 24, columns = 80): WatchState {
  return { ...watchState(), rows, columns, now: NOW, isReady: true, runs };
}

function account(records: readonly LogRecord[], rows = 24, columns = 80): WatchState {
  const window = stepWindow(accountWidth(columns));
  for (const record of records) window.push(record, 0);
  return { ...list([run("a", { status: "running" })], rows, columns), run: openedRun("a", window) };
}

function add(state: WatchState, ...records: readonly LogRecord[]): void {
  for (const record of records) state.run?.window.push(record, 0);
}

function screen(state: WatchState): string[] {
  settle(state);
  return frameOf(state).map((line) => plainOf(line).trimEnd());
}

function press(state: WatchState, ...keys: readonly string[]): ReturnType<typeof pressKey> {
  let wish: ReturnType<typeof pressKey>;
  for (const key of keys) {
    settle(state);
    wish = pressKey(state, key);
  }
  return wish;
}

/** The rows between header and status. */
function body(state: WatchState): string[] {
  const { header, body: rows } = layoutOf(state.rows);
  return screen(state).slice(header, header + rows);
}

const steps = (count: number) =>
  events(
    start,
    ...Array.from({ length: count }, (_, i) => [command(`c${i}`, `echo ${i}`), ended(`c${i}`, { output: `out ${i}\nmore` })]).flat(),
  );

describe("keys", () => {
  test("sequences may be cut anywhere; unknown ones are dropped", () => {
    const keys = readKeys();
    expect(keys.push("j\x1b[A\x1bOB\x1b[5~é\r \x7f")).toEqual(["j", "up", "down", "page-up", "é", "enter", "space", "backspace"]);
    expect(keys.push("\x1b")).toEqual([]);
    expect(keys.isWaiting()).toBe(true);
    expect(keys.push("[")).toEqual([]);
    expect(keys.push("F")).toEqual(["end"]);
    expect(keys.push("\x1b[1;5Q\x1b[<0;3;4Mq")).toEqual(["q"]);
    expect(keys.push("\x00\x01漢🎉")).toEqual(["漢", "🎉"]);
  });

  test("a lone escape is a key", () => {
    const keys = readKeys();
    expect(keys.push("\x1b")).toEqual([]);
    expect(keys.flush()).toEqual(["escape"]);
    expect(keys.push("\x1bq")).toEqual(["escape", "q"]);
  });
});

describe("frames", () => {
  const [red, normal] = [sequence("[31m"), sequence("[39m")];

  test("only changed lines are written, in one piece", () => {
    const written = (before: string[] | undefined, after: string[]) => rendered(hideSecrets(paintFrame(before, after)), true);
    expect(written(["a", "b", "c"], ["a", "B", "c"])).toBe("\x1b[?2026h\x1b[2;1HB\x1b[0m\x1b[K\x1b[?2026l");
    expect(written(["a"], ["a"])).toBe("");
    expect(written(undefined, ["a", ""])).toContain("\x1b[2;1H");
  });

  test("the width of characters: wide ones, accents, emoji, tabs", () => {
    const widths: readonly (readonly [string, number])[] = [
      ["abc", 3],
      ["漢字", 4],
      ["한국", 4],
      ["ｆｕｌｌ", 8],
      ["e\u0301", 1],
      ["ก\u0e34", 1],
      ["🎉", 2],
      ["❤", 1],
      ["❤\ufe0f", 2],
      ["1\ufe0f\u20e3", 2],
      ["─▌●✓", 4],
    ];
    for (const [text, width] of widths) expect(columnsOf(text), text).toBe(width);
    expect(fitted("漢字", 3)).toBe("漢");
    expect(rendered(hideSecrets(fitted(`${red}abc${normal}d`, 2)), true)).toBe("\x1b[31mab\x1b[39m");
    expect(body(account(events(start, says("a\tb"))))).toContain("▌● a    b");
  });

  test("matches are highlighted, across colors", () => {
    expect(rendered(hideSecrets(highlighted(`a ${red}Bc${normal}d`, "bcd")), true)).toBe("a \x1b[31m\x1b[7mBc\x1b[39md\x1b[27m");
    expect(highlighted("none", "x")).toBe("none");
  });

  const texts = Object.values(hostile).join(" 漢字 🎉 e\u0301 ");
  const nasty = events(
    { type: "run-start", agent: texts, cwd: texts, prompt: texts },
    says(`${texts}\n\t${texts}`),
    command("c", texts),
    ended("c", { output: texts, success: false }),
    { type: "unknown", raw: { [texts]: texts } },
    runEnd({ status: "failed", tail: texts }),
  );
  const SIZES = [1, 2, 3, 4, 5, 6, 9, 10, 24, 50].flatMap((rows) =>
    [2, 5, 20, 40, 80, 120, 300].map((columns) => [columns, rows] as const),
  );

  test("at any size, for any text: as many lines as rows, none too wide, no control characters except our colors", () => {
    const runs = [
      run("a", { status: "running", agent: texts, model: texts, activity: texts }),
      run(texts, { prompt: texts, status: texts }),
    ];
    const records = [...nasty, ...fixture("claude/full").map((record) => ({ ...record, seq: record.seq + 100 }))];
    for (const [columns, rows] of SIZES) {
      const opened = account(records, rows, columns);
      for (const state of [list(runs, rows, columns), list([], rows, columns), opened]) {
        for (const keys of [[], ["G"], ["e"], ["?"], ["?", "/", "x", texts.slice(0, 3)], ["enter"], ["n"], ["home", "page-down"]]) {
          press(state, ...keys);
          settle(state);
          const frame = frameOf(state);
          expect(frame).toHaveLength(rows);
          for (const line of frame) {
            const plain = plainOf(line);
            expect(columnsOf(plain)).toBeLessThan(columns);
            expect(plain).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
          }
        }
      }
    }
  });
});

describe("the list", () => {
  const runs = [
    run("b", { status: "failed" }),
    run("live", { status: "running", activity: "$ npm test", lastAt: "2026-01-01T00:00:30Z" }),
    run("c", { model: null, usage: null, costUsd: null }),
  ];

  test("live runs first, with their activity; then the others", () => {
    expect(screen(list(runs)).slice(0, 9)).toEqual([
      "harness watch",
      "    agent       status         time      cost  task",
      "1 live run",
      "▌ ● claude      running    1 m 00 s   $0.0123  Fix it",
      "▌   $ npm test  (30 s ago)",
      "",
      "recent",
      "  ✗ claude      failed        1.0 s   $0.0123  Fix it",
      "  ✓ claude      completed     1.0 s            Fix it",
    ]);
  });

  test("name and prompt come before model and tokens", () => {
    const named = [run("a", { name: "nightly", prompt: "Fix the failing test" })];
    const at = (columns: number) => screen(list(named, 24, columns)).find((line) => line.includes("✓")) ?? "";
    expect(at(80)).toBe("▌ ✓ claude      completed     1.0 s   $0.0123  nightly · Fix the failing test");
    expect(at(140)).toMatch(/opus +16\.9k in, 579 out +nightly · Fix the failing test$/);
    expect(at(60)).toMatch(/1\.0 s {2}nightly · Fix the fai…$/);
  });

  test("keys move and open; the selected run stays selected when others come", () => {
    const state = list(runs);
    expect(press(state, "j", "enter")).toEqual({ type: "open", id: "b" });
    state.runs = [run("new", { status: "running" }), ...runs];
    expect(press(state, "space")).toEqual({ type: "open", id: "b" });
    expect(press(state, "/", ...Array.from("running"), "enter", "enter")).toEqual({ type: "open", id: "new" });
    expect(press(state, "end", "enter")).toEqual({ type: "open", id: "c" });
    expect(press(state, "escape")).toBeUndefined(); // the search
    expect(press(state, "escape")).toEqual({ type: "quit" });
    expect(press(state, "q")).toEqual({ type: "quit" });
    expect(press(state, "ctrl-c")).toEqual({ type: "quit", interrupted: true });
  });

  test("more runs than rows: the selected run is on the screen", () => {
    const state = list(
      Array.from({ length: 200 }, (_, i) => run(`r${i}`, { prompt: `task ${i}` })),
      10,
      120,
    );
    press(state, ...Array.from({ length: 150 }, () => "j"));
    expect(screen(state).filter((line) => line.startsWith("▌"))).toEqual([expect.stringContaining("task 150")]);
    press(state, "home");
    expect(screen(state)[2]).toBe("no live run");
    press(state, "/", ...Array.from("task 77"), "enter");
    expect(screen(state).find((line) => line.startsWith("▌"))).toContain("task 77");
  });

  test("no runs", () => {
    const state = list([]);
    expect(screen(state)[2]).toBe("no live run");
    expect(press(state, "j", "enter", "n")).toBeUndefined();
  });
});

describe("the account of a run", () => {
  test("follows new steps until a key selects one", () => {
    const state = account(steps(50), 14);
    expect(body(state).at(-1)).toBe("▌✓ $ echo 49  100 ms");
    add(state, ...events(says("news")).map((record) => ({ ...record, seq: 1000 })));
    expect(body(state).at(-1)).toBe("▌● news");
    press(state, "k");
    const before = body(state);
    add(state, ...events(says("more news")).map((record) => ({ ...record, seq: 1001 })));
    expect(body(state)).toEqual(before);
    press(state, "f");
    expect(body(state).at(-1)).toBe("▌● more news");
  });

  test("a step opens and closes: its input, its output", () => {
    const state = account(steps(3));
    press(state, "enter");
    const opened = body(state);
    const at = opened.indexOf("▌✓ $ echo 2  100 ms");
    expect(opened.slice(at + 1, at + 9)).toEqual([
      "▌  ┊ tool  Bash",
      "▌  ┊ input",
      "▌  ┊   {",
      '▌  ┊     "command": "echo 2"',
      "▌  ┊   }",
      "▌  ┊ output",
      "▌  ┊   out 2",
      "▌  ┊   more",
    ]);
    press(state, "space");
    expect(body(state)[at + 1]).toBe("");
  });

  test("a step taller than the screen scrolls row by row, down and up", () => {
    const long = Array.from({ length: 60 }, (_, i) => `row ${i}`).join("\n");
    const state = account(events(start, says(long), says("after")), 14);
    press(state, "home");
    const seen = new Set<string>();
    for (let i = 0; i < 70; i++) {
      for (const row of body(state)) seen.add(row.replace(/^[▌ ][● ]*/, ""));
      press(state, "j");
    }
    for (let i = 0; i < 60; i++) expect(seen).toContain(`row ${i}`);
    expect(body(state).find((row) => row.startsWith("▌●"))).toBe("▌● after");
    for (let i = 0; i < 70; i++) press(state, "k");
    expect(body(state)[0]).toMatch(/^▌◆ claude/);
  });

  test("pages, the beginning and the end", () => {
    const state = account(steps(100), 14);
    press(state, "home");
    expect(body(state)[0]).toMatch(/^▌◆ claude/);
    press(state, "page-down");
    const second = body(state);
    expect(second[0]).toMatch(/echo/);
    press(state, "page-down", "page-up");
    expect(body(state).map((row) => row.slice(1))).toEqual(second.map((row) => row.slice(1)));
    press(state, "end");
    expect(body(state).at(-1)).toMatch(/echo 99/);
  });

  test("search finds rows and details, forward and backward, and wraps around", () => {
    const state = account(steps(100), 14);
    press(state, "/", ...Array.from("ECHO 42"), "enter");
    expect(body(state).find((row) => row.startsWith("▌"))).toContain("echo 42");
    press(state, "/", ...Array.from("out 77"), "enter");
    expect(body(state)).toContain("▌  ┊   out 77");
    press(state, "/", ...Array.from("echo 4"), "enter", "n");
    expect(body(state).find((row) => row.startsWith("▌"))).toContain("echo 40");
    press(state, "N");
    expect(body(state).find((row) => row.startsWith("▌"))).toContain("echo 4 ");
    press(state, "/", ...Array.from("nowhere"), "enter");
    expect(screen(state).at(-1)).toBe("not found: nowhere");
  });

  test("a long run keeps its newest steps", () => {
    const window = stepWindow(80, { steps: 100, characters: 1_000_000 });
    for (const record of steps(5000)) window.push(record, 0);
    expect(window.steps.length).toBeLessThanOrEqual(110);
    expect(window.dropped() + window.steps.length).toBe(5000);
    const large = stepWindow(80, { steps: 1000, characters: 100_000 });
    for (const record of events(start, ...Array.from({ length: 300 }, () => says("x".repeat(9000))))) large.push(record, 0);
    expect(large.steps.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(100_000);
  });

  test("the selected step stays selected when older ones are dropped", () => {
    const state = account([], 14);
    if (state.run !== undefined) state.run.window = stepWindow(78, { steps: 50, characters: 1_000_000 });
    const records = steps(200);
    add(state, ...records.slice(0, 40));
    press(state, "home");
    add(state, ...records.slice(40));
    const rows = body(state);
    expect(rows.filter((row) => row.startsWith("▌"))).toHaveLength(1);
    expect(press(state, "q")).toEqual({ type: "close" });
  });
});
