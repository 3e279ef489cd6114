import { afterAll, expect, test, vi } from "vitest";
import { readMcp } from "../../../src/app/cli/options/read-mcp.ts";
import { requestOf } from "../../../src/host/recording/write/decisions.ts";
import { ignoring } from "../../../src/host/workspace/ignore.ts";
import { openManifest } from "../../../src/host/workspace/manifest-file.ts";
import { agents } from "../../../src/pure/agents/agents.ts";
import { parseObject, spelled, TOO_DEEP } from "../../../src/pure/base/json.ts";
import { commandArgv } from "../../../src/pure/shell/command-argv.ts";
import { replyIn } from "../../../src/work/evaluate/graders/endpoint-judge.ts";
import { parseVerdict } from "../../../src/work/evaluate/graders/read-verdict.ts";
import { yamlField } from "../../../src/work/model/yaml-field.ts";
import { conversationOf } from "../../../src/work/native/conversation-of.ts";
import { parsePatch } from "../../../src/work/native/edits/parse-patch.ts";
import { failureOf } from "../../../src/work/native/failure.ts";
import { codeOf, finalOf } from "../../../src/work/native/repl/code-of.ts";
import { readRecords } from "../../../src/work/observe/commands/read-records.ts";
import { unknownParts } from "../../../src/work/observe/commands/trace/known-parts.ts";
import { markdownScenario } from "../../../src/work/observe/markdown-scenario.ts";
import { derive } from "./agent-parsers.ts";
import { fileWith, removeScratch } from "./scratch.ts";

/** What `npm run fuzz` has found: one test for each flaw, named after it. */

afterAll(removeScratch);

/** `String` throws for both: a field hides the method, or the text of a list is too long for the stack. */
const UNSPEAKABLE = '{"toString":1,"valueOf":1}';
const DEEP = "[".repeat(5000) + "]".repeat(5000);

test("a value that String cannot convert is spelled as JSON", () => {
  expect(spelled(JSON.parse(UNSPEAKABLE))).toBe(UNSPEAKABLE);
  expect(spelled(JSON.parse(DEEP))).toBe(TOO_DEEP);
  expect([null, undefined, 1, true, "a"].map(spelled)).toEqual(["null", "undefined", "1", "true", "a"]);
});

test("an event does not carry a deeply nested line", () => {
  const deep = DEEP.replaceAll("[", "[".repeat(8)).replaceAll("]", "]".repeat(8));
  for (let padding = 0; padding < 12; padding++)
    derive(agents.rlm, `{"type":"harness_end","runId":"r","reason":"final","totalUsage":${deep}}${" ".repeat(padding)}\n`);
});

test.each([UNSPEAKABLE, `[${UNSPEAKABLE}]`, DEEP])("an answer of pi at the time %.20s is read", (time) => {
  const message = `{"role":"assistant","content":[],"responseId":"r","timestamp":${time}}`;
  derive(agents.pi, `{"type":"message_end","message":${message}}\n`);
});

test.each([UNSPEAKABLE, `[${UNSPEAKABLE}]`, DEEP])("an agent's item with the type %.20s is an unknown line", (type) => {
  for (let padding = 0; padding < 12; padding++)
    derive(agents.codex, `{"type":"item.completed","item":{"id":"item_1","type":${type}}}${" ".repeat(padding)}\n`);
});

test.each([UNSPEAKABLE, DEEP])("a judge's answer with the error %.20s is an error of the judge", (value) => {
  const response = { status: 200, ok: true, headers: new Headers() };
  for (const body of [`{"error":{"code":${value},"type":${value}}}`, `{"choices":[{"finish_reason":${value}}]}`])
    expect(replyIn(response, body).error).toEqual(expect.any(String));
});

test("an MCP server's argument that String cannot convert is passed as JSON", () => {
  const path = fileWith("servers.json")(`{"mcpServers":{"a":{"command":"c","args":[${UNSPEAKABLE}],"env":{"A":${UNSPEAKABLE}}}}}`);
  expect(readMcp(path)).toEqual([{ name: "a", command: "c", args: [UNSPEAKABLE], env: { A: UNSPEAKABLE } }]);
});

const END =
  '{"end":{"entries":1,"types":{},"bytes":0,"unread":0,"unkept":0,"unlisted":0,"changing":0,"ignored":0,"skipped":[],"digest":""}}';

test.each([
  `{"manifest":1,"rootMode":"0755","ignore":[]}\n${END.replace('"bytes":0', '"bytes":"0"')}\n`,
  `{"manifest":1,"rootMode":"0755","ignore":[]}\n${END.replace('"skipped":[]', '"skipped":[1]')}\n`,
])("a snapshot whose last line has other types is damaged", (text) => {
  expect(() => openManifest(fileWith("manifest.jsonl")(text))).toThrow("is damaged or cut off");
});

test("eight megabytes of nested brackets are not parsed, nor a million lines without braces", () => {
  const parse = vi.spyOn(JSON, "parse");
  const deep = "[".repeat(4_000_000) + "]".repeat(4_000_000);
  expect(parseObject(`{"a":${deep}}`)).toBeUndefined();
  expect(parseObject(`{"a":${DEEP}}`)).toBeUndefined();
  for (const line of ["", "\n", "{", "x", '{"a":1', "[]", "  "]) expect(parseObject(line)).toBeUndefined();
  expect(parseVerdict(`{"pass":true,"reasoning":${deep}}`)).toHaveProperty("error");
  expect(parse).not.toHaveBeenCalled();
  parse.mockRestore();
  expect(parseObject(' \t{"a":1}\r\n')).toEqual({ a: 1 });
  expect(parseObject(`{"a":${"[".repeat(511)}"${"[".repeat(1000)}"${"]".repeat(511)}}`)).toBeDefined();
});

test("YAML with a list as a key prints no warning", () => {
  const warn = vi.spyOn(process, "emitWarning");
  expect(() => yamlField("[id]: 1\nid: a\n", "x.yaml")).not.toThrow();
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});

test("YAML with very many mistakes is rejected at the first one", () => {
  const broken = `a: [${"{}\n".repeat(15_000)}]\n`;
  expect(() => yamlField(broken, "x.yaml")).toThrow(/^x\.yaml:2: not YAML: [^:]+\.$/);
  expect(() => yamlField("a: 1\n---\nb: 2\n", "x.yaml")).toThrow("x.yaml:2: not YAML: Write one document only.");
  expect(yamlField("a: 1\n", "x.yaml").value).toEqual({ a: 1 });
});

test("YAML with too many values is rejected before it is composed, and a long text is not", () => {
  for (const piece of ["- a\n", "- [{}]\n", "? a\n", "- &a b\n"])
    expect(() => yamlField(piece.repeat(1_000_000), "x.yaml")).toThrow(/^x\.yaml:\d+: not YAML: It has too many values\.$/);
  const text = "a long line of text\n".repeat(100_000);
  expect(yamlField(`a: |\n${text.replaceAll(/^/gm, "  ").trimEnd()}\nb: [1]\n`, "x.yaml").value).toEqual({ a: text, b: [1] });
});

test("a scenario's heading may have any number of spaces and hashes, and a list any number of items", () => {
  const gaps = `${" ".repeat(3000)}${"#".repeat(3000)}`.repeat(20);
  expect(() => markdownScenario(`# Title\n# x${gaps}x\n`, "x.md", "x")).toThrow(/^x\.md:2: "x .{0,400}is not a section/);
  const items = Array.from({ length: 100_000 }, (_, i) => `- Rule ${i}.\n`).join("");
  const text = `# Title ##\n## User Request  ##  \n\nDo it.\n### Inner\n\n##\tExplicit Constraints#\n${items}`;
  expect(markdownScenario(text, "x.md", "x")).toMatchObject({ request: "Do it.\n### Inner", constraints: { length: 100_000 } });
});

test("a call, a family and an option of a trace that have the name of a method are unknown", () => {
  const parts = (name: string, args: string[]) => unknownParts({ name, args, result: 3 } as never);
  for (const name of ["constructor", "toString", "__proto__", "valueOf"]) {
    expect(parts(name, ["a", "b", "c"])).toEqual([{ reason: "unknown-call", name }]);
    expect(parts("socket", [name, "SOCK_RAW", "0"])).toEqual([{ reason: "unknown-family", name }]);
    expect(parts("setsockopt", ["3", name, "SO_X", "1"])).toEqual([{ reason: "unknown-family", name: `${name} SO_X` }]);
  }
});

test("a wrapper's records that claim more arguments than there are are malformed, in linear time", () => {
  const claims = Buffer.from(`\nS\x007-1\x009.5\0npm\x003\0\x009999999999\0+\0`.repeat(200_000));
  expect(readRecords(claims)).toMatchObject({ records: [], malformed: 199_999 }); // the last may still grow
  const ended = Buffer.from("\nE\x007-1\x009.6\x008\x000\0\0");
  expect(readRecords(Buffer.concat([claims, ended])).records).toHaveLength(1);
  expect(readRecords(Buffer.concat([ended, ended.subarray(0, 9)]))).toMatchObject({ taken: ended.length, malformed: 0 });
});

test.each([`[${UNSPEAKABLE}]`, UNSPEAKABLE, DEEP, `{"a":${DEEP}}`])("a provider's error %.20s is a text", (error) => {
  expect(failureOf(JSON.parse(error), undefined).message).not.toBe("");
});

test("a command of 40,000 braces is not parsed", () => {
  for (const text of [`${"{".repeat(40_000)}`, `cat a > out${"{".repeat(40_000)}`]) expect(commandArgv(text)).toBeUndefined();
  expect(commandArgv(`echo ${"a ".repeat(20_000)}`)).toHaveLength(20_001);
});

test("a hook's request with a list that String cannot convert is read, and one that nests too deeply is rejected", () => {
  const asked = `{"tool_name":"shell","tool_input":{"command":["rm",${UNSPEAKABLE}]}}`;
  expect(requestOf(asked, "/w", "all")).toMatchObject({ tool: "shell" });
  expect(() => requestOf(`{"a":${DEEP}}`, "/w", "all")).toThrow("A hook's request cannot be read");
});

test("a resumed run with fields of other types has texts without them", () => {
  const events = [
    { type: "harness_start", runId: "r", agent: "native" },
    { type: "user", runId: "r", content: { a: 1 } },
    { type: "harness_start", runId: "m", agent: "provider", parentId: "r" },
    { type: "text", runId: "m", id: "t", content: 7 },
    { type: "tool_result", runId: "r", id: {}, name: null, output: "x" },
  ];
  expect(conversationOf(events as never)?.messages).toMatchObject([{ role: "user", content: "" }, { role: "assistant" }, { role: "tool" }]);
});

test("a sentence about a patch does not repeat the patch", () => {
  for (const head of ["*** Add File: a\n", "*** Update File: a\n@@\n"])
    expect(() => parsePatch(`*** Begin Patch\n${head}${"(".repeat(100_000)}\n*** End Patch`)).toThrow(/^.{0,1000}$/);
});

test("a rule for ignored files may have any length, and any number of stars", () => {
  const isIgnored = ignoring([`${"*a".repeat(2000)}`, "(".repeat(100_000), "a?b", "build/*.o"]);
  expect(isIgnored(`x/${"a".repeat(255)}`, "a".repeat(255))).toBe(false);
  expect([isIgnored("a?b", "a?b"), isIgnored("axb", "axb"), isIgnored("build/x.o", "x.o"), isIgnored("build/x/y.o", "y.o")]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

test("a program is found between its fences, and megabytes of backticks and brackets are none", () => {
  expect(codeOf("a\n```js\nb\n```\n~~~repl\nc\n~~~~\n```py\nd\n```\n````\n```\ne")).toBe("b\n\nc\n\n```\ne");
  expect(codeOf("`".repeat(3_000_000))).toBeUndefined();
  expect(codeOf("text\n```js")).toBeUndefined();
  expect(finalOf(`x\n FINAL("a\n(b)")  \nmore`)).toBe("a\n(b)");
  expect(finalOf(`${"FINAL(\n".repeat(300_000)}`)).toBeUndefined();
});
