import { expect, test } from "vitest";
import { recognize } from "../../../src/pure/agents/recognize.ts";
import { loadFixtures } from "../../support/fixtures.ts";

/** A8: without an agent's name, the first lines decide. */

const SAME = new Map([
  ["kilo", "opencode"],
  ["rlm", "native"],
]);

test("A8: every recording is recognized as its agent's or not at all, and nearly all are", () => {
  const wrong: string[] = [];
  const missed: string[] = [];
  const fixtures = loadFixtures().filter(({ agent, raw }) => agent.id !== "generic" && raw.includes("{"));
  for (const { name, agent, raw } of fixtures) {
    const found = recognize(
      raw
        .subarray(0, 64 * 1024)
        .toString("utf8")
        .split("\n"),
    )?.id;
    if (found === undefined) missed.push(name);
    else if (found !== (SAME.get(agent.id) ?? agent.id)) wrong.push(`${name}: ${found}`);
  }
  expect(wrong).toEqual([]);
  expect(missed.length, missed.join(" ")).toBeLessThan(fixtures.length / 20);
});

test("A8: plain text belongs to any command, and empty output to none", () => {
  expect(recognize(["Hello.", "Done."])?.id).toBe("generic");
  expect(recognize(["", ""])).toBeUndefined();
  expect(recognize(['{"a":1}', '{"b":2}'])).toBeUndefined();
});
