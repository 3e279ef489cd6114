import { describe, expect, test } from "vitest";
import { usageOf } from "../../../src/work/model/ledger.ts";
import { dialects, post, serve, turn } from "./support.ts";

const SCRIPT = `
turns: [{ text: First. }, { text: Second. }, { text: Third. }]
subagents: { helper: { turns: [{ text: Sub one. }, { text: Sub two. }] } }
side: { text: A title, usage: { input: 7 } }
`;
const OTHER = "{ marker: other.one, turns: [{ text: Other. }] }";

describe.each(Object.entries(dialects))("which turn it is (%s)", (_name, { path, body, textOf }) => {
  test.each([
    ["the first turn", ["go [[a]]"], "First.", "main", "a", 0],
    ["the number of turns so far", ["go [[a]]", turn, { result: "x" }, turn, { result: "y" }], "Third.", "main", "a", 2],
    ["several items of one turn count once", ["go [[a]]", turn, turn, turn, { result: "x" }], "Second.", "main", "a", 1],
    ["the last marker wins, and turns count from there", ["go [[other.one]]", turn, "now [[a]]", turn, "and"], "Second.", "main", "a", 1],
    ["a marker from a JSON scenario", ["go [[other.one]]"], "Other.", "main", "other.one", 0],
    ["a subagent's marker", ["Sub work. [[a/helper]]", turn, { result: "x" }], "Sub two.", "subagent", "a/helper", 1],
    ["a marker in a tool's answer is not the user's", ["go [[a]]", turn, { result: "[[other.one]]" }], "Second.", "main", "a", 1],
    ["a known marker beats an unknown one", ["go [[a]] and [[nonsense]]"], "First.", "main", "a", 0],
  ] as const)("%s", async (_what, said, text, kind, marker, index) => {
    const server = await serve([SCRIPT, OTHER]);
    expect(textOf(await post(server, path, body(said)))).toBe(text);
    expect(server.ledger[0]).toMatchObject({ kind, marker, turn: index, stream: true, status: 200 });
  });

  test("the same request gets the same turn: retries and interleaving change nothing", async () => {
    const server = await serve([SCRIPT, OTHER]);
    const main = body(["go [[a]]", turn, { result: "x" }]);
    const replies = await Promise.all(
      [main, body(["[[a/helper]]"]), main, body(["[[other.one]]"]), main].map((each) => post(server, path, each)),
    );
    expect(replies.map(textOf)).toEqual(["Second.", "Sub one.", "Second.", "Other.", "Second."]);
  });

  test.each([
    ["no marker", ["hello"], null, /names no script.*\[\[a\]\], \[\[other.one\]\]/],
    ["an unknown marker", ["hello [[zzz]]"], "zzz", /no script \[\[zzz\]\]/],
    ["a hostile marker", ["hello [[__proto__]] [[constructor]]"], "constructor", /no script \[\[constructor\]\]/],
  ] as const)("%s gets an answer that says so", async (_what, said, marker, sentence) => {
    const server = await serve([SCRIPT, OTHER]);
    expect(textOf(await post(server, path, body(said)))).toMatch(sentence);
    expect(server.ledger[0]).toMatchObject({ kind: "unknown", marker, turn: null, status: 200 });
  });

  test("a single scenario needs no marker", async () => {
    const server = await serve([SCRIPT]);
    expect(textOf(await post(server, path, body(["hello", turn, "and?"])))).toBe("Second.");
  });

  test("a script that has ended says so", async () => {
    const server = await serve([OTHER]);
    expect(textOf(await post(server, path, body(["hello", turn, "and?"])))).toBe("The script [[other.one]] has ended: it has no turn 2.");
  });

  test("A5: a side request with a schema gets an answer that satisfies it", async () => {
    const server = await serve([SCRIPT, OTHER]);
    const schema = {
      type: "OBJECT",
      properties: {
        why: { type: "STRING" },
        score: { type: "INTEGER", minimum: 3 },
        kind: { enum: ["flash", "pro"] },
        more: { type: "string" },
      },
      required: ["why", "score", "kind"],
    };
    const demand = {
      generationConfig: { responseJsonSchema: schema },
      response_format: { json_schema: { schema } },
      text: { format: { schema } },
      output_config: { format: { schema } },
    };
    const reply = await post(server, path, { ...body(["Judge: go [[a]]"], { tools: [] }), ...demand });
    expect(JSON.parse(textOf(reply))).toEqual({ why: "scripted", score: 3, kind: "flash" });
    expect(server.ledger[0]).toMatchObject({ kind: "side", marker: "a" });
  });

  test("a request for a title is a side request, also if it offers tools (codex-acp 2.6.0)", async () => {
    const server = await serve([SCRIPT, OTHER]);
    const wanting = (name: string) => {
      const schema = { type: "object", properties: { [name]: { type: "string" } }, required: [name] };
      return {
        ...body(["Name this: go [[a]]"]),
        generationConfig: { responseJsonSchema: schema },
        response_format: { json_schema: { schema } },
        text: { format: { schema } },
        output_config: { format: { schema } },
      };
    };
    expect(JSON.parse(textOf(await post(server, path, wanting("title"))))).toEqual({ title: "scripted" });
    expect(textOf(await post(server, path, wanting("verdict")))).toBe("First.");
    expect(server.ledger.map(({ kind, turn: index }) => [kind, index])).toEqual([
      ["side", null],
      ["main", 0],
    ]);
  });

  test("requests without tools are outside the script", async () => {
    const server = await serve([SCRIPT, OTHER]);
    const title = body(["Make a title for: go [[a]]"], { tools: [] });
    expect(textOf(await post(server, path, title))).toBe("A title");
    expect(textOf(await post(server, path, body(["go [[a]]"])))).toBe("First.");
    expect(server.ledger.map(({ kind, turn }) => [kind, turn])).toEqual([
      ["side", null],
      ["main", 0],
    ]);
    expect(usageOf(server.ledger)).toEqual({ input: 107, cacheRead: 0, cacheWrite: 0, output: 10, reasoning: 0 });
  });

  test("a scenario can make requests without tools turns of its script", async () => {
    const server = await serve([SCRIPT.replace(/side:.*/, "side: script"), OTHER.replace("{ ", "{ side: { text: Aside }, ")]);
    const asked = [
      ["go [[a]]"],
      ["go [[a]]", turn, "It printed: 3", turn, "It failed."],
      ["What is it? [[a/helper]]"],
      ["Make a title for: [[other.one]]"],
      ["nobody's"],
    ] as const;
    const replies = await Promise.all(asked.map((said) => post(server, path, body(said, { tools: [] }))));
    expect(replies.map(textOf)).toEqual(["First.", "Third.", "Sub one.", "Aside", expect.stringMatching(/names no script/)]);
    expect(server.ledger.map(({ kind, turn: index }) => `${kind} ${index}`).sort()).toEqual([
      "main 0",
      "main 2",
      "side null",
      "subagent 0",
      "unknown null",
    ]);
  });
});
