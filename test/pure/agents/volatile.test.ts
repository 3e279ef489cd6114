import { describe, expect, test } from "vitest";
import { agents } from "../../../src/pure/agents/index.ts";
import type { Agent } from "../../../src/pure/pipeline/index.ts";
import { normalizer } from "../../../src/pure/wire/index.ts";

/** Two spellings of the same request, as two runs of the real CLI sent them, and one that is different. */
const SAME: Readonly<Record<string, readonly (readonly [first: string, second: string, other: string])[]>> = {
  claude: [
    ["Today's date is 2026-11-18.", "Today's date is 2027-01-02.", "Today's date is unknown."],
    ["agentId: a61e9d2 (use SendMessage", "agentId: b7f31c0 (use SendMessage", "agentId:  (use SendMessage"],
    ["(use SendMessage with to: 'a644f82')", "(use SendMessage with to: 'b1')", "(use SendMessage with to: '')"],
    ["tool_uses: 1\nduration_ms: 512", "tool_uses: 1\nduration_ms: 9", "tool_uses: 2\nduration_ms: 512"],
  ],
  codex: [
    ["<current_date>2026-11-18</current_date>", "<current_date>2026-11-19</current_date>", "<current_date></current_date>"],
    [
      "Chunk ID: 03afbd\nWall time: 0.0521 seconds\nok",
      "Chunk ID: c1d2e3\nWall time: 1.2 seconds\nok",
      "Chunk ID: 03afbd\nWall time: 0.0521 seconds\nno",
    ],
  ],
  goose: [
    [
      "<current-time>2026-11-18 08:10:00 +00:00</current-time>",
      "<current-time>2026-11-18 08:11:00 +00:00</current-time>",
      "<current-time></current-time>",
    ],
    ["Subagent ID: 20261118_2", "Subagent ID: 20261119_4", "Subagent ID: none"],
  ],
  pi: [["Current date: 2026-11-18", "Current date: 2026-12-01", "Current date: today"]],
  opencode: [
    ["Today's date: Wed Nov 18 2026", "Today's date: Thu Nov 19 2026", "Today's date: unknown"],
    ['<task id="ses_e124ad3b0ffe1JNNF4xdH3uuZP">', '<task id="ses_e124b0000ffe1JNNF4xdH3uuAB">', '<task id="1">'],
  ],
  gemini: [
    [
      "Today's date is Wednesday, November 18, 2026 (formatted",
      "Today's date is Friday, January 1, 2027 (formatted",
      "Today's date is (formatted",
    ],
  ],
};

const all: Readonly<Record<string, Agent>> = agents;
const linesOf = (id: string, body: unknown) =>
  normalizer(all[id]?.volatile ?? {}, [])({ method: "POST", path: "/v1/messages", body: JSON.stringify(body) });

describe.each(Object.entries(SAME))("%s", (id, texts) => {
  test.each(texts)("%j", (first, second, other) => {
    const [one, two, three] = [first, second, other].map((content) => linesOf(id, { messages: [{ content }] }));
    expect(two).toEqual(one);
    expect(three).not.toEqual(one);
  });
});

test("fields that only name this installation or this turn are left out, and no others", () => {
  const sent = (user: string, model: string) => linesOf("claude", { model, metadata: { user_id: user } });
  expect(sent("a", "opus")).toEqual(sent("b", "opus"));
  expect(sent("a", "opus")).not.toEqual(sent("a", "haiku"));
  expect(linesOf("codex", { client_metadata: { id: 1 }, input: [] })).toEqual(linesOf("codex", { client_metadata: { id: 2 }, input: [] }));
  expect(linesOf("native", { metadata: { user_id: "a" } })).not.toEqual(linesOf("native", { metadata: { user_id: "b" } }));
});

test("every agent with rules is tried here", () => {
  const withRules = Object.values(all).flatMap(({ id, volatile }) => (volatile?.texts === undefined || id.endsWith("-acp") ? [] : [id]));
  expect(withRules.sort()).toEqual(Object.keys(SAME).sort());
});
