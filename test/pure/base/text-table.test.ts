import { expect, test } from "vitest";
import { textTable } from "../../../src/pure/base/text-table.ts";

test("a table of long names fits the terminal, and names that differ stay different", () => {
  const names = ["claude (results/2026-11-15/before-the-change.jsonl)", "claude (results/2026-11-16/after-the-change.jsonl)"];
  const rows = names.map((name) => [name, ...names, "no difference shown", "0.0 … 100.0 %"]);
  const text = textTable({ title: "Results", head: ["agent", "of", "to", "shown", "95 % interval"], rows }, 80);
  expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
  expect(text).toContain("claude…r-the-change.jsonl)");
  expect(textTable({ title: "Results", head: ["agent", "of", "to", "shown", "95 % interval"], rows })).toContain(names[0]);
});
