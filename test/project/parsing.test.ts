import { expect, test } from "vitest";
import { filesIn } from "./imports.ts";
import { isNode, type Node, syntaxIn, syntaxOf } from "./syntax.ts";

/**
 * JSON from outside is read by `parseJson`, `parseObject` and `parseLine`, which check how deeply it nests and how many values it has before
 * they parse it. These files call `JSON.parse` themselves. A new one needs a reason here.
 */
const WITHOUT: Readonly<Record<string, readonly string[]>> = {
  "is the guarded reader": ["src/pure/base/json.ts", "src/pure/pipeline/parse-line.ts"],
  "reads one text, not a structure": [
    "src/host/recording/own/json-line.ts",
    "src/host/secrets/mask-fact.ts",
    "src/host/secrets/piece-masker.ts",
  ],
  "reads what it has just written": ["src/host/recording/write/run-directory.ts"],
  "reads what this package passed to its own program": [
    "src/work/native/program/read-options.ts",
    "src/work/native/repl/engine-program.ts",
  ],
  "gives the user's own data of any size to the user's own program": ["src/work/native/program/prepare-rlm.ts"],
  "reads the fixtures of this repository, or what our own corpus printed": [
    "src/work/conformance/collect-shapes.ts",
    "src/work/conformance/mcp-server.ts",
    "src/work/conformance/run-agent.ts",
    "src/work/conformance/shapes.ts",
  ],
};

const nameOf = (value: unknown) => (isNode(value) ? String(value["name"] ?? value["value"]) : "");

function isParse(value: unknown): boolean {
  return isNode(value) && value.type === "MemberExpression" && nameOf(value["object"]) === "JSON" && nameOf(value["property"]) === "parse";
}

/** `JSON.parse(JSON.stringify(value))` copies our own value. */
function isCopy({ arguments: given }: Node): boolean {
  const [first] = Array.isArray(given) ? (given as readonly unknown[]) : [];
  const callee = isNode(first) ? first["callee"] : undefined;
  return isNode(callee) && nameOf(callee["object"]) === "JSON" && nameOf(callee["property"]) === "stringify";
}

function parses({ nodes }: ReturnType<typeof syntaxIn>): boolean {
  const uses = nodes.filter(isParse).length;
  const copies = nodes.filter((node) => node.type === "CallExpression" && isParse(node["callee"]) && isCopy(node)).length;
  return uses > copies;
}

test("a use of JSON.parse is found in every spelling", () => {
  for (const text of ["JSON.parse(a)", 'JSON["parse"](a)', "lines.map(JSON.parse)", "JSON.parse(JSON.stringify(a)); JSON.parse(b)"])
    expect(parses(syntaxIn(text)), text).toBe(true);
  for (const text of ["JSON.parse(JSON.stringify(a))", "parseJson(a)", "`JSON.parse(a)`", "YAML.parse(a)"])
    expect(parses(syntaxIn(text)), text).toBe(false);
});

test("only the listed files call JSON.parse, each for its reason", { timeout: 120_000 }, () => {
  const found = filesIn("src").filter((file) => parses(syntaxOf(file)));
  expect(found).toEqual(Object.values(WITHOUT).flat().sort());
});
