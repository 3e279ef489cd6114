import { describe, expect, test } from "vitest";
import { agents } from "../../src/pure/agents/agents.ts";
import type { Agent } from "../../src/pure/pipeline/index.ts";
import { filesIn } from "./imports.ts";
import { isNode, literalsIn, type Syntax, syntaxIn, syntaxOf } from "./syntax.ts";

/** The folders that may know an agent: its own, and the corpus that installs and tests it. */
const HOMES = ["src/pure/agents/", "src/work/conformance/"];

/** Examples in the texts of the program are for people. */
const FOR_PEOPLE = /^(?:src\/app|page)\//;

/** Every name of an agent outside its home that means something else: how many there are, and why. */
const EXCEPTIONS: Readonly<Record<string, { readonly names: readonly string[]; readonly because: string }>> = {
  "src/host/process/inside-program.ts": { names: ["native", "native"], because: "the files of a program" },
  "src/host/recording/write/plan-run.ts": { names: ["acp"], because: "the protocol, which has an agent's name" },
  "src/pure/base/model-address.ts": { names: ["claude", "gemini", "opencode"], because: "families of models, and a provider" },
  "src/pure/checks/path-check.ts": { names: ["claude"], because: "an example of a path" },
  "src/pure/pipeline/agent.ts": { names: ["acp"], because: "the protocol, which has an agent's name" },
  "src/pure/views/truth/places.ts": {
    names: ["claude", "codex", "opencode", "kilo", "kilocode", "goose", "cline"],
    because: "folders for settings, which are not the result of any work",
  },
  "src/work/native/context/window.ts": { names: ["claude", "gemini"], because: "names of models" },
  "src/work/native/program/read-options.ts": { names: ["claude"], because: "an example of a model" },
};

const names = new Set(
  Object.values<Agent>(agents).flatMap(({ id, aliases = [], product }) => [id, ...aliases, ...(product ? [product] : [])]),
);
/** Everyday words, protocols and models have these names too: in a sentence, or as a field, they need not mean the agent. */
const WORDS = new Set(["acp", "gemini", "generic", "native", "pi", "rlm"]);

/** The agent that a literal is about: all of a word, the start of one, or a distinctive name anywhere in a text. */
function namesInText(text: string, isPattern: boolean, forPeople: boolean): readonly string[] {
  const isSentence = /\s/.test(text) && !isPattern;
  if ((isSentence && forPeople) || /^\.{1,2}\//.test(text)) return []; // a relative path is our own file
  const found = text.match(/[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*/g) ?? [];
  return found.flatMap((word, place) => {
    const name = [...names].filter((each) => word === each || word.startsWith(`${each}-`)).sort((a, b) => b.length - a.length)[0];
    if (name === undefined) return [];
    return WORDS.has(name) && (isSentence || place > 0 || word !== name) ? [] : [name];
  });
}

/** Fields, members and imported names: `{ claude: 1 }`, `agents.codex`, `import { gemini }`, `isClaude`. */
function namesInIdentifier(identifier: string): readonly string[] {
  const parts = identifier.split(/(?=[A-Z])|[_$]/).map((part) => part.toLowerCase());
  return parts.filter((part) => names.has(part) && !WORDS.has(part));
}

function agentNamesIn(syntax: Syntax, forPeople = false): readonly string[] {
  const texts = literalsIn(syntax).flatMap(({ text, isPattern }) => namesInText(text, isPattern, forPeople));
  const identifiers = syntax.nodes.flatMap((node) => (node.type.endsWith("Identifier") ? namesInIdentifier(String(node["name"])) : []));
  const members = syntax.nodes.flatMap(({ type, object, property, computed }) => {
    const isAgent = type === "MemberExpression" && computed !== true && isNode(object) && object["name"] === "agents" && isNode(property);
    return isAgent && WORDS.has(String(property["name"])) ? [String(property["name"])] : [];
  });
  return [...texts, ...identifiers, ...members];
}

describe("agent ids", () => {
  test("appear only in the agents' folders and the corpus", { timeout: 60_000 }, () => {
    const files = [...filesIn("src"), ...filesIn("page")].filter((file) => !HOMES.some((home) => file.startsWith(home)));
    expect(files.length).toBeGreaterThan(500);
    const found = files.flatMap((file) => {
      const here = agentNamesIn(syntaxOf(file), FOR_PEOPLE.test(file));
      return here.length === 0 ? [] : [[file, here] as const];
    });
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(Object.entries(EXCEPTIONS).map(([file, { names }]) => [file, names])));
  });

  test("mistakes would be found", () => {
    expect(names.size).toBeGreaterThan(20);
    const found = (text: string, forPeople = false) => agentNamesIn(syntaxIn(text), forPeople);
    expect(found('const is = agent.id === "claude";')).toEqual(["claude"]);
    expect(found("new Set(['native', `rlm`])")).toEqual(["native", "rlm"]);
    expect(found('product === "claude-code" || agents.codex || agents.native')).toEqual(["claude-code", "codex", "native"]);
    expect(found("const a = { claude: 1 }; const isCodex = /^codex/.test(x)")).toEqual(["codex", "claude", "codex"]);
    expect(found('import { kilo } from "./agents.ts"; const start = "claude-code/"')).toEqual(["claude-code", "kilo"]);
    expect(found('const url = "https://x"; const a = "claude"; const b = "/*"; const c = "codex"; const d = "*/"')).toEqual([
      "claude",
      "codex",
    ]);
    expect(found('say("ask claude"); say("a native one"); const pi = 3; const { generic } = x; // claude\n/** "codex" */')).toEqual([
      "claude",
    ]);
    expect(found('say("ask claude"); id === "claude"', true)).toEqual(["claude"]);
    for (const home of HOMES) expect(filesIn(home).some((file) => agentNamesIn(syntaxOf(file)).length > 0)).toBe(true);
  });
});
