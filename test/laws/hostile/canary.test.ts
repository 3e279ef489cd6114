import { describe, expect, test } from "vitest";
import { agents } from "../../../src/pure/agents/agents.ts";
import { activity } from "../../../src/pure/views/activity/view.ts";
import { log } from "../../../src/pure/views/log/view.ts";
import { EPOCH, type Fixture, linesOf, loadFixtures, replay } from "../../support/fixtures.ts";
import { marked } from "./contents.ts";

/**
 * Never contents: in every recording, each place where the real formats hold file text, command output or search results gets a canary.
 * It must not reach `activity`. It must reach the log, or the test would prove nothing.
 */

const CANARY = "c4n4ry-7f3a";

/** A document of one JSON value over many lines is one value; a line that is not JSON stays unchanged. */
function poisoned({ agent, raw }: Fixture): Buffer {
  const whole = parsed(raw.toString());
  if (whole !== undefined)
    return Buffer.from(`${JSON.stringify(marked(agent.id, whole, CANARY), null, linesOf(raw).length > 1 ? 2 : 0)}\n`);
  const lines = linesOf(raw).map((line) => {
    const value = parsed(line.toString());
    return value === undefined ? line : Buffer.from(`${JSON.stringify(marked(agent.id, value, CANARY))}\n`);
  });
  return Buffer.concat(lines);
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

const fixtures = loadFixtures().filter(({ agent, raw }) => agent.id !== "generic" && raw.length > 0);

describe("contents never reach activity", () => {
  const reached = new Map<string, number>();

  test.each(fixtures)("$name", (fixture) => {
    const changed = { ...fixture, raw: poisoned(fixture) };
    for (const exit of [true, false]) {
      const records = JSON.stringify(replay(changed, activity, { exit, reasoning: true, run: { startedAt: EPOCH } }));
      expect(records).not.toContain(CANARY);
      if (fixture.name.includes("documented")) expect(records).not.toMatch(/CANARY(?!-free)/);
    }
    const id = fixture.agent.id;
    if (JSON.stringify(replay(changed, log)).includes(CANARY)) reached.set(id, (reached.get(id) ?? 0) + 1);
  });

  test.each(Object.keys(agents).filter((id) => id !== "generic" && !id.endsWith("-acp")))("the canaries of %s were in the input", (id) => {
    expect(reached.get(id)).toBeGreaterThanOrEqual(id === "antigravity" || id === "rlm" ? 1 : 8);
  });
});
