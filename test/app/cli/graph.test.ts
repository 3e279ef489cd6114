import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { cleanUp, directory, harness } from "../../support/harness.ts";

afterAll(cleanUp);

const INPUT = ["graph", "fixtures/claude/subagent/raw.jsonl", "--agent", "claude"];

describe("harness graph", () => {
  test("prints the graph view, or the format that the file name asks for", async () => {
    const json = await harness(INPUT);
    const { nodes, edges, runs } = JSON.parse(json.stdout);
    expect({ code: json.code, nodes: nodes.length, edges: edges.length, runs: runs.length }).toEqual({
      code: 0,
      nodes: 13,
      edges: 11,
      runs: 2,
    });
    const file = join(directory(), "run.svg");
    expect(await harness([...INPUT, "-o", file])).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(readFileSync(file, "utf8")).toBe((await harness([...INPUT, "--format", "svg"])).stdout);
    expect((await harness([...INPUT, "-o", file])).code).toBe(2);
    expect((await harness([...INPUT, "-o", file, "--force"])).code).toBe(0);
    expect((await harness(["graph", "fixtures/claude/subagent/raw.jsonl"])).code).toBe(2);
    expect((await harness([...INPUT, "--format", "png"])).code).toBe(2);
  });
});
