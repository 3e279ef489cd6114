import { describe, expect, test } from "vitest";
import { log } from "../../../src/pure/views/log/view.ts";
import { type Fixture, loadFixtures, replay } from "../../support/fixtures.ts";

const recorded = loadFixtures().find(({ name }) => name === "cline/subagents-parallel") as Fixture;
const lines = recorded.raw.toString().trimEnd().split("\n");

function texts(fixture: Fixture): readonly string[] {
  return replay(fixture, log).flatMap((event) =>
    event.type === "message" ? [`${event.parent === undefined ? "" : `${event.parent.slice(-6)}: `}${event.text}`] : [],
  );
}

const withLines = (all: readonly string[]): Fixture => ({ ...recorded, raw: Buffer.from(`${all.join("\n")}\n`), lineTimesMs: [] });

describe("X4: texts of Cline's parallel subagents", () => {
  test("belong to the only one that does not wait for a call, or to the one that ends right after its last turn", () => {
    expect(texts(recorded)).toEqual([
      "Two helpers.",
      "Other working.", // both subagents could have said it
      "q7iwk5: Sub working.",
      "lbp12i: Other result 7.",
      "q7iwk5: Sub result 42.",
      "Both done.",
    ]);
  });

  test("belong to no one if a line of another agent could have come between", () => {
    // Both wait for no call, and both say their last text before either ends.
    const text = (said: string) => JSON.stringify({ type: "agent_event", event: { type: "content_end", contentType: "text", text: said } });
    const end = lines.findIndex((line) => line.includes('"hadToolCalls":false'));
    const started = lines.findLastIndex((line) => line.includes('"agent_start"'));
    const crossed = [...lines.slice(0, started + 1), text("One."), text("Two."), ...lines.slice(end, end + 2)];
    expect(texts(withLines(crossed))).toEqual(["Two helpers.", "One.", "Two."]);
    const tool = JSON.stringify({
      type: "agent_event",
      event: { type: "content_start", contentType: "text", text: "a", accumulated: "a" },
    });
    const between = [...lines.slice(0, started + 1), text("One."), tool, ...lines.slice(end, end + 2)];
    expect(texts(withLines(between))).toEqual(["Two helpers.", "One."]);
  });

  test("are never overtaken by an unreadable line", () => {
    const end = lines.findIndex((line) => line.includes('"text":"Other result 7."'));
    const events = replay(withLines([...lines.slice(0, end + 1), "???", ...lines.slice(end + 1)]), log);
    const at = events.findIndex((event) => event.type === "unknown" && event.raw === "???");
    expect(events[at - 1]).toMatchObject({ type: "message", text: "Other result 7." });
    expect(events.filter((event) => event.type === "message" && event.text === "Other result 7.")).toHaveLength(1);
  });
});
