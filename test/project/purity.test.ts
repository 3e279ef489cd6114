import { expect, test } from "vitest";
import { filesIn } from "./imports.ts";
import { isNode, type Syntax, syntaxIn, syntaxOf, textOf } from "./syntax.ts";

const AMBIENT = new Set([
  "process",
  "performance",
  "console",
  "globalThis",
  "crypto",
  "fetch",
  "setTimeout",
  "setInterval",
  "setImmediate",
]);
const PURE_DATE = new Set(["UTC", "parse", "prototype"]);

/** What a program uses that differs from call to call. */
function impuritiesIn({ nodes }: Syntax): readonly string[] {
  const seen = new Set<unknown>(); // names that are not references, or that were judged with what is around them
  const found: string[] = [];
  for (const node of nodes) {
    const { type } = node;
    const [object, property, callee, key] = [node["object"], node["property"], node["callee"], node["key"]].map((part) =>
      isNode(part) ? part : undefined,
    );
    if (type === "MemberExpression") {
      const name = String(node["computed"] === true ? textOf(property) : property?.["name"]);
      if (node["computed"] !== true) seen.add(property);
      if (object?.["name"] === "Math" && name === "random") found.push("Math.random");
      if (object?.["name"] === "Date" && object.type === "Identifier") {
        seen.add(object);
        if (!PURE_DATE.has(name)) found.push(`Date.${name}`);
      }
    } else if ((type === "NewExpression" || type === "CallExpression") && callee?.["name"] === "Date") {
      seen.add(callee);
      if (type === "CallExpression") found.push("Date()");
      else if ((node["arguments"] as readonly unknown[]).length === 0) found.push("new Date()");
    } else if (type === "TSTypeReference" || type === "TSTypeQuery") seen.add(node["typeName"] ?? node["exprName"]);
    else if (key !== undefined && node["computed"] !== true && node["shorthand"] !== true) seen.add(key);
    else if (type === "Identifier" && !seen.has(node) && (AMBIENT.has(String(node["name"])) || node["name"] === "Date"))
      found.push(String(node["name"]));
  }
  return found;
}

test("src/pure sees no clock, no chance and no process", () => {
  const pure = filesIn("src/pure");
  expect(pure.length).toBeGreaterThan(200);
  expect(pure.flatMap((file) => impuritiesIn(syntaxOf(file)).map((found) => `${file}: ${found}`))).toEqual([]);
  const found = (text: string) => impuritiesIn(syntaxIn(text));
  expect(found("Date.now(); Math.random(); new Date(); Date()")).toEqual(["Date.now", "Math.random", "new Date()", "Date()"]);
  expect(found('process.env; performance.now(); console.log(); globalThis.x; ({ process }); Date["now"]()')).toEqual([
    "process",
    "performance",
    "console",
    "globalThis",
    "process",
    "Date.now",
  ]);
  expect(found("const { now } = Date; const f = Math.random; const D = Date; crypto.randomUUID(); fetch(x); setTimeout(f)")).toEqual([
    "Date",
    "Math.random",
    "Date",
    "crypto",
    "fetch",
    "setTimeout",
  ]);
  expect(found("new Date(at); Date.UTC(1, 2); Date.parse(x); Math.max(1); const a = { process: 1 }; a.process; type T = Date")).toEqual([]);
});
