import { afterAll, describe, expect, test } from "vitest";
import { claudeSays, cleanUp, file, harness, hasTerminal, jsonLines, RAW, terminal } from "../../support/harness.ts";
import { hostile } from "../../support/hostile.ts";

afterAll(cleanUp);

const claude = ["--agent", "claude"];
const plain = { NO_COLOR: "1" };
/** Bold, dim, six colors, and their end sequences. */
const OURS = [1, 2, 22, 31, 32, 33, 34, 35, 36, 39].map((code) => `\u001b[${code}m`);

/** Lines of Claude Code with the text everywhere a view shows text. */
function everywhere(text: string): string {
  const session = { session_id: `s${text}` };
  const use = (id: string, name: string, input: object) => ({ type: "tool_use", id, name, input });
  const lines = [
    { type: "system", subtype: "init", cwd: `/w${text}`, model: `model${text}`, tools: [], ...session },
    { type: "assistant", message: { id: "1", content: [{ type: "text", text: `message ${text} end\n\nsecond ${text}` }] }, ...session },
    { type: "assistant", message: { id: "2", content: [use("t1", "Bash", { command: `echo ${text}` })] }, ...session },
    {
      type: "user",
      message: { content: [{ type: "tool_result", tool_use_id: "t1", content: `output ${text}`, is_error: true }] },
      ...session,
    },
    { type: "assistant", message: { id: "3", content: [use("t2", "Read", { file_path: `/w/${text}.txt` })] }, ...session },
    { type: "user", message: { content: [{ type: "tool_result", tool_use_id: "t2", content: text }] }, ...session },
    { type: "assistant", message: { id: "4", content: [use(`t3${text}`, `mcp__${text}`, { [text]: text })] }, ...session },
    { type: "user", message: { content: [{ type: "tool_result", tool_use_id: `t3${text}`, content: text }] }, ...session },
    { type: `strange${text}`, [text]: text },
    { type: "result", subtype: "success", is_error: false, result: `done ${text}`, ...session },
  ];
  return `${lines.map((line) => JSON.stringify(line)).join("\n")}\nnot json ${text.replaceAll("\n", " ")}\n`;
}

describe.runIf(hasTerminal)("in a terminal", () => {
  test("activity is one readable line per record, messages in full", async () => {
    const long = "word ".repeat(60).trim();
    const { code, text } = await terminal(["derive", file(claudeSays(`first\n\n${long}`)), ...claude], plain);
    expect(code).toBe(0);
    const [first, blank, ...rest] = text.trimEnd().split("\n");
    expect(first).toBe("agent           first");
    expect(blank?.trim()).toBe("");
    expect(rest.length).toBeGreaterThan(2);
    for (const line of rest) expect(line).toMatch(/^ {16}word[ word]*$/);
    expect(rest.every((line) => line.length <= 100)).toBe(true);
    expect(rest.join(" ").replace(/ +/g, " ").trim()).toBe(long);
  });

  test("success, failure, notes and subagents look different", async () => {
    const { text } = await terminal(["derive", RAW, ...claude], plain);
    expect(text).toMatch(/^write {9}✓ \/workspace\/notes\.txt$/m);
    expect(text).toMatch(/^read {10}✓ \/workspace\/notes\.txt {2}lines 2–3$/m);
    expect(text).toMatch(/^command {7}✗ echo about-to-fail; exit 3 {2}exit 3$/m);
    expect(text).toMatch(/^orchestration {3}subagent started: general-purpose/m);
    expect(text).toMatch(/^│ read {10}✓ \/workspace\/README\.md$/m);
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  test("stream shows each text once, in either spelling", async () => {
    const { text } = await terminal(["derive", RAW, ...claude, "--view", "stream"], plain);
    expect(text.match(/Now read it back\./g)).toHaveLength(1);
    expect(text).toMatch(/^tool {10}▸ Write \{"file_path"/m);
    expect(text).toMatch(/^result {8}✓ completed/m);
    expect((await terminal(["derive", RAW, ...claude, "--view", "stream", "--case", "snake"], plain)).text).toBe(text);
  });

  test("result is a list of names and values", async () => {
    const { text } = await terminal(["derive", RAW, ...claude, "--view", "result"], plain);
    expect(text).toMatch(/^status {8}✓ completed$/m);
    expect(text).toMatch(/^exit code {7}unknown$/m);
    expect(text).toMatch(/^output {10}Finished/m);
  });

  test("log is one line per event", async () => {
    const { text } = await terminal(["derive", RAW, ...claude, "--view", "log"], plain);
    const events = jsonLines((await harness(["derive", RAW, ...claude, "--view", "log"])).stdout);
    expect(text.trimEnd().split("\n")).toHaveLength(events.length);
    expect(text).toMatch(/^ {5}1 run-start {12}agent=claude/m);
  });

  test("--refs adds the number and the byte range", async () => {
    const { text } = await terminal(["derive", RAW, ...claude, "--refs"], plain);
    expect(text).toMatch(/#\d+ at \d+\+\d+$/m);
  });

  test("an empty view is reported on stderr", async () => {
    const { code, text } = await terminal(["derive", file(""), ...claude]);
    expect(code).toBe(0);
    expect(text).toBe("harness: nothing to show: the view activity has no record for this input\n");
  });

  test("colors, unless NO_COLOR", async () => {
    expect((await terminal(["derive", RAW, ...claude])).text).toContain("\u001b[33mcommand");
    expect((await terminal(["derive", RAW, ...claude], plain)).text).not.toContain("\u001b");
    expect((await terminal(["derive", RAW, ...claude], { TERM: "dumb" })).text).not.toContain("\u001b");
    expect((await terminal(["derive", RAW, ...claude], { TERM: "dumb", FORCE_COLOR: "1" })).text).toContain("\u001b[33mcommand");
  });

  test("lists are tables, and JSON with --json", async () => {
    expect((await terminal(["agents"])).text).toMatch(/^ID +TITLE( +ALIASES)?( +BINARIES)? +SEEN +INSTALLED\nclaude +Claude Code/);
    expect(jsonLines((await terminal(["agents", "--json"])).text)[0]).toMatchObject({ id: "claude" });
    expect((await terminal(["schemas"])).text).toMatch(/^NAME +VERSION +TITLE\nactivity/);
  });

  test("reading from the terminal is announced", async () => {
    const { text } = await terminal(["derive", "-", ...claude]);
    expect(text).toContain("harness: reading from the terminal");
  });

  describe("hostile output is made harmless", () => {
    const raw = file(Object.values(hostile).map(everywhere).join(""));

    test.each(["activity", "stream", "result", "log"])("in the view %s", async (view) => {
      const { code, text } = await terminal(["derive", raw, ...claude, "--view", view, "--refs"], plain);
      expect(code).toBe(0);
      expect(text).toMatch(/\\u\{?[0-9a-f]{4}/);
      expect(dangers(text)).toEqual([]);
    });

    test("with colors, only our sequences appear", async () => {
      const { text } = await terminal(["derive", raw, ...claude]);
      expect(text).toContain("\u001b[33mcommand");
      expect(dangers(OURS.reduce((rest, sequence) => rest.replaceAll(sequence, ""), text))).toEqual([]);
      expect(dangers(text)).not.toContain("\u0007");
    });

    test("--json escapes control characters in a terminal; a pipe gets it unchanged", async () => {
      const { text } = await terminal(["derive", raw, ...claude, "--json"]);
      const piped = await harness(["derive", raw, ...claude]);
      expect(dangers(text)).toEqual([]);
      expect(jsonLines(text)).toEqual(jsonLines(piped.stdout));
      expect(piped.stdout).toContain("\u202e");
    });

    const evil = Object.values(hostile).filter((text) => !text.includes("\0")); // an argument cannot hold a null
    test.each([
      ["a file", ["derive", evil.join(""), ...claude]],
      ["a command", [evil.join("")]],
      ["an option", ["derive", RAW, `--${evil.join("")}`]],
      ["an agent", ["derive", RAW, "--agent", evil.join("")]],
      ["a schema", ["schemas", evil.join("")]],
    ])("in a complaint about %s", async (_, args) => {
      const { code, text } = await terminal(args);
      expect(code).toBe(2);
      expect(text).toMatch(/^harness: [^\n]+\n$/);
      expect(dangers(text)).toEqual([]);
    });
  });
});

/** Sequences that a terminal executes, and characters that a reader cannot see. */
function dangers(text: string): readonly string[] {
  return text.match(/[^\n\P{Cc}]|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}/gu) ?? [];
}
