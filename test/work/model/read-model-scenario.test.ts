import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { HarnessError } from "../../../src/pure/base/errors.ts";
import { loadScenarios } from "../../../src/work/model/load-scenarios.ts";
import { readModelScenario } from "../../../src/work/model/read-model-scenario.ts";

const folder = mkdtempSync(join(tmpdir(), "harness-model-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function complaint(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    expect(error).toBeInstanceOf(HarnessError);
    return (error as HarnessError).code === "input" ? (error as HarnessError).message : `code ${(error as HarnessError).code}`;
  }
  return "nothing was wrong";
}

describe("reading a scenario", () => {
  test("YAML and JSON are equivalent", () => {
    const yaml = "marker: m\nturns:\n  - text: Hi\n    usage: { input: 3 }\n    tools: [{ run: ls }]\n";
    const json = '{ "marker": "m", "turns": [{ "text": "Hi", "usage": { "input": 3 }, "tools": [{ "run": "ls" }] }] }';
    expect(readModelScenario(yaml, "x.yaml")).toEqual(readModelScenario(json, "y.json"));
  });

  test("the default marker is the file's name", () => {
    expect(readModelScenario("turns: [{}]", "/some/where/read-and-fix.yaml").marker).toBe("read-and-fix");
    expect(readModelScenario("{ marker: other, turns: [{}] }", "read-and-fix.yml").scripts[0]?.marker).toBe("other");
  });

  test("a subagent's marker starts with the scenario's", () => {
    const { scripts } = readModelScenario("turns: [{}]\nsubagents: { b: { turns: [{}] }, c: { turns: [{}, {}] } }", "a.yaml");
    expect(scripts.map(({ marker, kind, turns }) => [marker, kind, turns.length])).toEqual([
      ["a", "main", 1],
      ["a/b", "subagent", 1],
      ["a/c", "subagent", 2],
    ]);
  });

  test("a shorthand gives every matching call, best first; a list keeps its order", () => {
    const text = "turns: [{ tools: [{ search: { query: x y, path: src } }, [{ name: A }, { name: B, input: text }]] }]";
    expect(readModelScenario(text, "a.yaml").scripts[0]?.turns[0]?.calls).toEqual([
      expect.arrayContaining([
        { name: "Grep", input: { pattern: "x y", path: "src" } },
        { name: "Bash", input: { command: "grep -rn 'x y' src", description: expect.any(String) } },
        { name: "exec_command", input: { cmd: "grep -rn 'x y' src" } },
      ]),
      [
        { name: "A", input: {} },
        { name: "B", input: "text" },
      ],
    ]);
  });

  test("reads the project's corpus", () => {
    expect(loadScenarios([join(import.meta.dirname, "../../../scenarios")]).length).toBeGreaterThan(12);
  });
});

describe("mistakes: the line, the problem, and the remedy", () => {
  test.each([
    ["", "x.yaml:1: the scenario must be a scenario, written as keys with values."],
    ["turns", "x.yaml:1: the scenario must be a scenario, written as keys with values."],
    ["marker: m", 'x.yaml:1: the scenario needs the key "turns".'],
    ["turns: []", "x.yaml:1: turns must have at least one turn."],
    ["turns: hello", 'x.yaml:1: turns must be a list of turns. Start each with "- ".'],
    [
      "turns:\n  - text: a\n  - txet: b",
      "x.yaml:3: turns[1].txet is not a key of a turn. Its keys are reasoning, text, tools, usage, stop, delay, chunk and fault.",
    ],
    [
      "turn:\n  - text: a",
      "x.yaml:1: turn is not a key of a scenario. Its keys are about, marker, turns, subagents, side, watch, run, expect and why.",
    ],
    ["turns:\n  - text:\n      - a", "x.yaml:2: turns[0].text must be text. Put it in quotes."],
    ["turns:\n  - text: 42", "x.yaml:2: turns[0].text must be text. Put it in quotes."],
    ["turns:\n  - text: { repeat: a }", 'x.yaml:2: turns[0].text needs the key "times".'],
    ["turns:\n  - text: { repeat: aaaa, times: 99999999 }", "x.yaml:2: turns[0].text is over 64 MiB of text. Repeat it fewer times."],
    [
      "turns:\n  - usage:\n      input: 1\n      outptu: 2",
      "x.yaml:4: turns[0].usage.outptu is not a key of a usage. Its keys are input, cacheRead, cacheWrite, output and reasoning.",
    ],
    ["turns:\n  - usage: { input: -1 }", "x.yaml:2: turns[0].usage.input must be a whole number, 0 or more."],
    ["turns:\n  - usage: { input: 1.5 }", "x.yaml:2: turns[0].usage.input must be a whole number, 0 or more."],
    ["turns:\n  - usage: { input: many }", "x.yaml:2: turns[0].usage.input must be a whole number, 0 or more."],
    ["turns:\n  - delay: soon", /^x\.yaml:2: turns\[0\]\.delay must be a duration such as .*500ms/],
    ["turns:\n  - delay: -5ms", /^x\.yaml:2: turns\[0\]\.delay must be a duration/],
    ["turns:\n  - chunk: { size: 0 }", "x.yaml:2: turns[0].chunk.size must be a whole number, 1 or more."],
    ["turns:\n  - fault: 200", "x.yaml:2: turns[0].fault must be a whole number, 400 or more."],
    ["turns:\n  - fault: { status: 600 }", "x.yaml:2: turns[0].fault.status must be the status of an HTTP error, 400 to 599."],
    ["turns:\n  - fault: { times: 2 }", 'x.yaml:2: turns[0].fault needs exactly one of the keys "status", "cut" and "error".'],
    [
      "turns:\n  - fault: { status: 500, cut: mid-text }",
      'x.yaml:2: turns[0].fault needs exactly one of the keys "status", "cut" and "error".',
    ],
    ["turns:\n  - fault: { cut: somewhere }", "x.yaml:2: turns[0].fault.cut must be mid-text or before-stop."],
    ["turns:\n  - fault: { error: sad }", "x.yaml:2: turns[0].fault.error must be overloaded, rate-limit, server or context."],
    ["turns:\n  - fault: { status: 500, times: 0 }", "x.yaml:2: turns[0].fault.times must be a whole number, 1 or more."],
    [
      "turns:\n  - fault: { cut: mid-text, body: x }",
      'x.yaml:2: turns[0].fault.body needs "status": only an HTTP error has a body and headers.',
    ],
    [
      'turns:\n  - fault: { status: 500, headers: { "a b": c } }',
      "x.yaml:2: turns[0].fault.headers.a b is not an HTTP header. Use printable ASCII.",
    ],
    [
      "turns:\n  - tools:\n      - raed: x",
      /^x\.yaml:3: turns\[0\]\.tools\[0\] is not a tool call\. Write one of run, read, write, .* fetch or mcp, or a "name" with its "input"\.$/,
    ],
    ["turns:\n  - tools:\n      - constructor: x", /^x\.yaml:3: turns\[0\]\.tools\[0\] is not a tool call/],
    ["turns:\n  - tools:\n      - { run: x, read: y }", /^x\.yaml:3: turns\[0\]\.tools\[0\] is not a tool call/],
    ["turns:\n  - tools:\n      - ls", "x.yaml:3: turns[0].tools[0] must be a tool call, written as keys with values."],
    [
      "turns:\n  - tools:\n      - name: Bash\n        inptu: x",
      "x.yaml:4: turns[0].tools[0].inptu is not a key of a tool call. Its keys are name and input.",
    ],
    [
      "turns:\n  - tools:\n      - name: Bash\n        input: 3",
      "x.yaml:4: turns[0].tools[0].input must be keys with values, or text to send verbatim.",
    ],
    ["turns:\n  - tools:\n      - write: { path: a }", 'x.yaml:3: turns[0].tools[0].write needs the key "content".'],
    ["marker: a b\nturns: [{}]", "x.yaml:1: marker must consist of letters, digits, dots, dashes and underscores, as in read-and-fix."],
    [
      "turns: [{}]\nsubagents:\n  a/b: { turns: [{}] }",
      "x.yaml:3: subagents.a/b must have a name of letters, digits, dots, dashes and underscores.",
    ],
    ["turns: [{}]\nsubagents:\n  a: { turns: [] }", "x.yaml:3: subagents.a.turns must have at least one turn."],
    ["turns: [{}]\nside:\n  txt: a", /^x\.yaml:3: side\.txt is not a key of a turn/],
    ["turns: [{}]\nside: turns", /^x\.yaml:2: side must be a turn, or the word script\.$/],
    ["turns: [{}]\nwatch: needle", 'x.yaml:2: watch must be a list of texts. Start each with "- ".'],
    ["turns: [{}]\nturns: [{}]", /^x\.yaml:2: not YAML: .*unique/],
    ["turns:\n  - text: a\n text: b", /^x\.yaml:3: not YAML: /],
    ['turns:\n  - text: "open', /^x\.yaml:2: not YAML: /],
    ["turns: *nowhere", "x.yaml:1: its aliases cannot be resolved. Write the values out."],
    [
      `a: &a [x, x]\n${"bcdefghij".replace(/./g, (name) => `${name}: &${name} [*${String.fromCharCode(name.charCodeAt(0) - 1)}, *${String.fromCharCode(name.charCodeAt(0) - 1)}]\n`)}turns: *j`,
      "x.yaml:1: its aliases cannot be resolved. Write the values out.",
    ],
  ])("%j", (text, message) => {
    const found = complaint(() => readModelScenario(text, "x.yaml"));
    if (typeof message === "string") expect(found).toBe(message);
    else expect(found).toMatch(message);
  });

  test("a file name that is not a valid marker", () => {
    expect(complaint(() => readModelScenario("turns: [{}]", "my file.yaml"))).toMatch(
      /^my file\.yaml:1: the scenario needs the key "marker"/,
    );
  });

  test("prototype keys are ordinary keys", () => {
    expect(complaint(() => readModelScenario('{ "turns": [{}], "__proto__": 1 }', "x.json"))).toMatch(/^x\.json:1: __proto__ is not a key/);
  });

  test.each([
    ["a missing file", () => [join(folder, "none.yaml")], /^Cannot read the scenario .*none\.yaml: there is no such file\.$/],
    ["a directory without scenarios", () => [folder], /contains no scenario: no file ends in \.yaml, \.yml or \.json\.$/],
  ])("%s", (_what, paths, message) => {
    expect(complaint(() => loadScenarios(paths()))).toMatch(message);
  });

  test("two files with one marker", () => {
    const files = ["p.yaml", "q.json"].map((name) => join(folder, name));
    for (const file of files) writeFileSync(file, '{ "marker": "same", "turns": [{}] }');
    expect(complaint(() => loadScenarios(files))).toBe(
      `${files[1]}:1: ${files[0]} already has the marker same. Give one of the two a different "marker".`,
    );
    for (const file of files) rmSync(file);
  });

  test("a file that is too large", () => {
    const file = join(folder, "large.yaml");
    writeFileSync(file, `turns: [{ text: "${"x".repeat(5 * 2 ** 20)}" }]`);
    expect(complaint(() => loadScenarios([file]))).toMatch(/large\.yaml:1: the scenario is larger than 4 MiB\. Use \{ repeat/);
    rmSync(file);
  });
});
