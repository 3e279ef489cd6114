import { expect, test } from "vitest";
import { table } from "../../../src/app/terminal/print-list.ts";

const rows = [
  {
    id: "20261116-080001-6qpz0y",
    agent: "claude",
    started: "2026-11-16 08:00",
    cost: "$0.01",
    task: "Fix the failing test of the parser, then add one",
  },
  { id: "20261116-080002-abcdef", agent: "codex", started: "2026-11-16 08:00", cost: null, task: "漢字".repeat(40) },
];
const options = { optional: ["started", "cost"], clipped: true } as const;

test("a narrow terminal leaves out optional columns, then clips the last one", () => {
  const lines = (width: number) => table(rows, width, options).split("\n");
  expect(lines(120)[0]).toMatch(/^ID +AGENT +STARTED +COST +TASK$/);
  expect(lines(64)[0]).toMatch(/^ID +AGENT +COST +TASK$/);
  expect(lines(40)[0]).toMatch(/^ID +AGENT +TASK$/);
  expect(lines(64)[1]).toBe("20261116-080001-6qpz0y  claude  $0.01  Fix the failing test of …");
  expect(lines(64)[2]).toBe("20261116-080002-abcdef  codex   –      漢字漢字漢字漢字漢字漢字…");
});

test("a path in the last column stays whole", () => {
  expect(table([{ id: "a", path: `/${"long/".repeat(30)}` }], 40, {})).toContain("long/".repeat(30));
});
