import { describe, expect, test } from "vitest";
import { agents } from "../../../src/pure/agents/agents.ts";
import { activity } from "../../../src/pure/views/activity/view.ts";
import { everyView } from "../../support/every-view.ts";
import { feed, linesOf, loadFixtures } from "../../support/fixtures.ts";

/** Hostile values in every field of the real formats, and ways in which contents have leaked. */

const DEEP = `${"[".repeat(3_000)}${"]".repeat(3_000)}`;
const MARK = '"\u0001deep"';

/** Undefined for a line that is not JSON: some recordings have them. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The line, once for every key, with a value there that `JSON.stringify` cannot write. */
function deepened(line: string): string[] {
  const value = parsed(line);
  const out: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const holder = node as Record<string, unknown>;
    for (const key of Object.keys(holder)) {
      const kept = holder[key];
      holder[key] = "\u0001deep";
      out.push(JSON.stringify(value).replace(JSON.stringify("\u0001deep"), DEEP));
      holder[key] = kept;
      visit(kept);
    }
  };
  visit(value);
  expect(out.join("")).not.toContain(MARK);
  return out;
}

const kinds = new Map<string, { agent: keyof typeof agents; line: string }>();
for (const { agent, raw } of loadFixtures()) {
  if (agent.id === "generic") continue;
  for (const bytes of linesOf(raw)) {
    const line = bytes.toString().trimEnd();
    const { type, subtype, item, message } = Object(parsed(line));
    const kind = [agent.id, type, subtype, item?.type, message?.content?.[0]?.type, message?.content?.[0]?.name].join("/");
    if (line.length < 6_000 && !kinds.has(kind)) kinds.set(kind, { agent: agent.id as keyof typeof agents, line });
  }
}

test("there are many kinds of lines", () => expect(kinds.size).toBeGreaterThan(40));

test.each([...kinds])("%s: every view serialises it with deep nesting in any field", (_, { agent, line }) => {
  const input = Buffer.from(`${line}\n${deepened(line).join("\n")}\n`);
  for (const { record } of feed(agents[agent], everyView, [input], { reasoning: true })) JSON.stringify(record);
});

describe("contents", () => {
  const use = (id: string | undefined, name: string, input: object) => ({
    type: "assistant",
    message: { id: "m", content: [{ type: "tool_use", id, name, input }] },
  });
  const payload = {
    file_path: "b",
    content: "CANARY",
    old_string: "CANARY",
    new_string: "CANARY",
    edits: ["CANARY"],
    new_source: "CANARY",
  };
  const shown = (text: string) => JSON.stringify(feed(agents.claude, activity, [Buffer.from(text)]));

  test.each(["Write", "Edit", "MultiEdit", "NotebookEdit"])("of a malformed or ambiguous %s are not shown", (tool) => {
    const { file_path, ...rest } = payload;
    const lines = [use("x", tool, payload), use("x", "Bash", { command: "ls" }), use(undefined, tool, payload), use("y", tool, rest)];
    const text = shown(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    expect(text).toContain("ambiguous");
    expect(text).not.toContain("CANARY");
    expect(file_path).toBe("b");
  });

  test("of a torn last line are not shown, not even in the tail of the run", () => {
    const torn = '{"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":"CANARY text';
    expect(shown(torn)).toMatch(/"raw":"\{.+…","truncated":true/);
    expect(shown(torn)).not.toContain("CANARY");
  });
});

describe("time", () => {
  test("a result that repeats the CLI's own message takes linear time and does not change the shell's directory", () => {
    const call = (id: string, command: string) => ({
      type: "assistant",
      message: { id, content: [{ type: "tool_use", id, name: "Bash", input: { command } }] },
    });
    const result = (id: string, content: string) => ({
      type: "user",
      message: { content: [{ type: "tool_result", tool_use_id: id, content }] },
    });
    const repeated = "Shell cwd was reset to a".repeat(40_000);
    const lines = [
      call("1", "cd x"),
      result("1", `${repeated}\n`),
      call("2", "cat log"),
      result("2", "Shell cwd was reset to /evil"),
      call("3", "cat a"),
    ];
    const input = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    expect(feed(agents.claude, activity, [input]).at(-1)).toMatchObject({ type: "read", path: "x/a" });
  }, 20_000);

  test("a megabyte of bad bytes, one per line, is read in linear time", () => {
    const input = Buffer.alloc(1024 * 1024);
    for (let i = 0; i < input.length; i += 2) input.set([0xff, 0x0a], i);
    expect(feed(agents.codex, activity, [input])).toHaveLength(input.length / 2);
  }, 50_000);
});
