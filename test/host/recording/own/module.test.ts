import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { loadModule } from "../../../../src/host/recording/own/load-module.ts";
import { readAgentFile } from "../../../../src/host/recording/own/read-agent-file.ts";
import { derive, loadAgent, run } from "../../../../src/index.ts";
import { isAgentFile } from "../../../../src/pure/agents/agent-file.ts";
import { cleanUp, directory, file, sentence } from "./support.ts";

afterAll(cleanUp);

const ROOT = join(import.meta.dirname, "../../../..");
const PARROT = join(ROOT, "docs/examples/parrot.mjs");
const RAW = join(ROOT, "docs/examples/parrot.jsonl");

/** An agent's source, with some fields replaced. */
function source(changes = ""): string {
  return `export const agent = { id: "mine", title: "Mine", binaries: ["sh"], command: () => ({ args: [] }), open: () => ({ push: () => [], end: () => [] }), ${changes} };\n`;
}

test.each([
  ["./my-agent.mjs", true],
  ["my-agent.mjs", true],
  ["x.JSON", true],
  ["agents/x", true],
  ["..\\x", true],
  ["x.ts", true],
  ["claude", false],
  ["claude-code", false],
  ["x.jsonl", false],
])("%s is a file: %s", (name, is) => expect(isAgentFile(name)).toBe(is));

test("the example in the docs reads its output", async () => {
  const types: string[] = [];
  for await (const record of derive(RAW, { agent: PARROT, view: "activity", exitCode: 0 })) types.push(record.type);
  expect(types).toEqual(["agent", "command", "unknown"]);
});

describe("an export", () => {
  test.each([
    ["named", source()],
    ["default", source().replace("export const agent =", "export default")],
    ["default, containing the agent", `${source().replace("export ", "")}export default { agent };`],
    [
      "of a class",
      "class A { id = 'mine'; binaries = []; command() { return { args: [this.id] } } open() { return this } push() { return null } end() { return [] } }\nexport const agent = new A();",
    ],
    ["with a circular reference", `${source()}agent.self = agent; agent.list = [agent, agent];`],
  ])("%s", async (_, text) => {
    const agent = await loadAgent(file("agent.mjs", text));
    expect(agent).toMatchObject({ id: "mine", origin: { kind: "module", sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } });
    expect(agent).not.toHaveProperty("self");
    expect(agent.command({ prompt: "x" }).args.length).toBeLessThan(2);
  });

  test("of CommonJS, and by URL", async () => {
    const path = file("agent.cjs", source().replace("export const agent =", "exports.agent ="));
    expect((await loadAgent(pathToFileURL(path))).id).toBe("mine");
  });
});

describe("each mistake gives one sentence", () => {
  const wrong: readonly [text: string, says: string][] = [
    ["", "is missing: export an object called agent, or export it as the default."],
    ["export const agent = 5;", "is missing: export an object called agent, or export it as the default."],
    [source("open: 5"), "has no open(), which reads its output."],
    [source("command: undefined"), "has no command(), which says how to start it."],
    [source("id: undefined"), "has no id; set it to a short name."],
    [source("id: 'a/b'"), "has an id that is not a short name of letters, digits, dots, dashes and underscores."],
    [source("id: '../../etc'"), "has an id that is not a short name of letters, digits, dots, dashes and underscores."],
    [source("id: 'a\\u001b[2J'"), "has an id that is not a short name of letters, digits, dots, dashes and underscores."],
    [source("id: 'x'.repeat(65)"), "has an id that is not a short name of letters, digits, dots, dashes and underscores."],
    [source("id: 'claude-code'"), "has the id claude-code, which belongs to another agent; choose a different one."],
    [source("title: 'a\\nb'"), "has a title that is not a line of text."],
    [source("binaries: 'sh'"), "has binaries that are not a list of program names."],
    [source("aliases: [1]"), "has aliases that are not a list of names."],
    [source("terminal: 'yes'"), "has a terminal that is neither true nor false."],
    [source("text: 'x'"), "has a text that is not a function."],
    [source("get seen() { throw new Error('no luck') }"), "cannot be inspected: no luck."],
    ["throw new Error('not today\\nsecond line');", "cannot be loaded: not today."],
    ["throw null;", "cannot be loaded: null."],
    ["import 'no-such-package-anywhere';", "cannot be loaded: Cannot find package 'no-such-package-anywhere'"],
  ];
  test.each(wrong)("%j", async (text, says) => {
    const path = file("agent.mjs", text);
    expect(await sentence(() => loadAgent(path))).toContain(`The agent in ${path} ${says}`);
  });

  test("a missing file, a directory, a file that is too large", async () => {
    const path = join(directory(), "no.mjs");
    expect(await sentence(() => loadAgent(path))).toBe(
      `Cannot read the agent in ${path}: there is no such file. Pass the path of a module or a schema.`,
    );
    expect(await sentence(() => loadAgent(directory()))).toContain("is a directory. Pass the file that describes the agent.");
    const large = file("agent.json", Buffer.alloc(10 * 1024 * 1024, " "));
    expect(await sentence(() => loadAgent(large))).toBe(`${large} is too large to describe an agent (more than 256 KiB).`);
  });

  test("does not wait for a module that never finishes loading", async () => {
    const path = file("agent.mjs", "await new Promise(() => {});");
    const read = readAgentFile(path, 1000);
    expect(await sentence(() => loadModule(path, read, 50))).toBe(
      `The agent in ${path} did not load within 0.05 s: something at its top level does not finish.`,
    );
  });

  test.each([
    "5",
    "{ args: [5] }",
    "{ args: ['a\\0b'] }",
    "{ args: [], env: { A: 5 } }",
    "{ args: [], program: 5 }",
    "(() => { throw new Error('no') })()",
  ])("command() that returns %s", async (answer) => {
    const path = file("agent.mjs", source(`command: () => (${answer})`));
    const agent = await loadAgent(path);
    expect(await sentence(() => agent.command({ prompt: "x" }))).toMatch(
      /^The agent in .+ (returned a command that cannot be run; command\(\) must return|failed in command\(\): no\.)/,
    );
  });

  test("in the library: rejects at the first record, like every unreadable source", async () => {
    const iterate = async (records: AsyncIterable<unknown>) => {
      for await (const _ of records);
    };
    expect(await sentence(() => iterate(derive(RAW, { agent: "./no.mjs" })))).toContain("there is no such file");
    expect(await sentence(() => iterate(run({ agent: "./no.mjs", prompt: "x" })))).toContain("there is no such file");
  });
});
