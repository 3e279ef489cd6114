import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { sampleOf } from "../../../src/pure/statistics/sample.ts";
import { openCases } from "../../../src/work/evaluate/cases/open-cases.ts";
import { checkFound, selector } from "../../../src/work/evaluate/cases/select-cases.ts";

/** Data sets: reading, errors, and selecting cases. */

const folder = mkdtempSync(join(tmpdir(), "harness-cases-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(text: string | Buffer): string {
  const path = join(folder, `${Math.random().toString(36).slice(2)}.jsonl`);
  writeFileSync(path, text);
  return path;
}

const row = (fields: object) => JSON.stringify({ id: "a", input: "Go.", ...fields });

describe("a data set", () => {
  test("the document's line, a byte order mark, CRLF, blank lines, a last line without a newline", () => {
    const lines = [
      `\uFEFF{"id":"test-001","input":"Create a primary button","expected":"should contain <button>","metadata":{"category":"ui"}}\r`,
      "",
      row({ id: "two", input: ["first", "second"], hint: "h", timeout: 500, reference: "r", workspace: "./w", setup: "npm ci" }),
    ];
    const cases = openCases(file(lines.join("\n")));
    expect(cases.places.map((place) => cases.read(place))).toEqual([
      { id: "test-001", input: "Create a primary button", expected: "should contain <button>", metadata: { category: "ui" } },
      {
        id: "two",
        input: ["first", "second"],
        expected: "h",
        reference: "r",
        metadata: {},
        timeout: 500,
        workspace: "./w",
        setup: "npm ci",
      },
    ]);
  });

  test("an id is any text and never a path: `../x` is valid", () => {
    expect(openCases(file(row({ id: "../../x" }))).places[0]?.id).toBe("../../x");
  });

  test.each([
    ["", "contains no case"],
    ["\n\n", "contains no case"],
    ["not json", ":1: not a JSON object"],
    [`${row({})}\n[1]`, ":2: not a JSON object"],
    ['{"input":"x"}', ':1: a case needs an "id"'],
    ['{"id":5,"input":"x"}', ':1: a case needs an "id"'],
    [row({ id: "x".repeat(4096) }), "4096 characters"],
    [row({ id: "a\u0007" }), "control characters"],
    ['{"id":"a"}', ':1: a case needs an "input"'],
    [row({ input: " " }), "is empty"],
    [row({ input: [] }), "no turns"],
    [row({ input: ["a", 1] }), 'a case needs an "input"'],
    ['{"id":"a","input":"\\ud800"}', "half of a surrogate pair"],
    [`${row({})}\n\n${row({})}`, ':3: line 1 already has the id "a"'],
    [row({ expected: "x", hint: "y" }), "two names for the same field"],
    [row({ timeout: 0 }), '"timeout" must be'],
    [row({ metadata: [] }), '"metadata" must be'],
    [`{"id":"a","input":"x","metadata":${"[".repeat(600)}${"]".repeat(600)}}`, "nested too deeply"],
    [Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), "not UTF-8"],
  ])("rejects %j with file and line", (text, message) => {
    expect(() => openCases(file(text))).toThrow(message);
  });

  test("a missing file", () => {
    expect(() => openCases(join(folder, "none"))).toThrow("there is no such file");
  });
});

describe("selecting cases", () => {
  const path = file(
    Array.from({ length: 50 }, (_, n) => row({ id: `c${n}`, metadata: { category: n % 2 ? "ui" : "api", n, tags: [`t${n % 3}`] } })).join(
      "\n",
    ),
  );
  const ids = (selection: Parameters<typeof selector>[0]) => openCases(path, selector(selection)).places.map(({ id }) => id);

  test("by id, by metadata", () => {
    expect(ids({ only: ["c3", "c1"] })).toEqual(["c1", "c3"]);
    expect(ids({ where: ["category=ui"] })).toHaveLength(25);
    expect(ids({ where: ["category=ui", "n=7"] })).toEqual(["c7"]);
    expect(ids({ where: ["n=1", "n=2"] })).toEqual(["c1", "c2"]);
    expect(ids({ where: ["tags=t1", "category=api"] })).toEqual(ids({}).filter((_, n) => n % 2 === 0 && n % 3 === 1));
    expect(ids({ where: ["toString=x"] })).toEqual([]);
    expect(() => selector({ where: ["category"] })).toThrow("name=value");
  });

  test("a misspelled id is not an empty evaluation", () => {
    const { places } = openCases(path, selector({ only: ["c1", "nope"] }));
    expect(() => checkFound(places, { only: ["c1", "nope"] }, path)).toThrow('no case "nope"');
    expect(() => checkFound([], { where: ["category=x"] }, path)).toThrow("Check the metadata");
  });

  test("a sample is the same for the same seed, in file order", () => {
    const { places } = openCases(path);
    const draw = (seed: number) => sampleOf(places, 20, seed).map(({ line }) => line);
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
    expect(draw(7)).toEqual([...draw(7)].sort((a, b) => a - b));
    expect(new Set(draw(7)).size).toBe(20);
    expect(sampleOf(places, 100, 1)).toHaveLength(50);
  });
});
