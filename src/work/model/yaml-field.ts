import { type Document, isMap, isNode, isSeq, LineCounter, parseDocument, type YAMLMap } from "yaml";
import { HarnessError } from "../../pure/base/index.ts";
import { type Field, type LineOf, rootField } from "./field.ts";

/** Parses YAML or JSON and keeps the line of every value. Errors name `file`, and `name` says what the file should contain. */
export function yamlField(text: string, file: string, name = "the scenario"): Field {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: "error" }); // warnings go to the terminal
  const lineAt = (offset: number) => lines.linePos(offset).line || 1;
  const problem = document.errors[0];
  if (problem !== undefined) throw new HarnessError("input", `${file}:${lineAt(problem.pos[0])}: not YAML: ${sentence(problem.message)}`);
  return rootField(resolved(document, file), file, (path) => lineAt(offsetOf(document, path)), name);
}

function resolved(document: Document.Parsed, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new HarnessError("input", `${file}:1: its aliases cannot be resolved. Write the values out.`, { cause: error });
  }
}

/** The offset of the key or item at a path; else of its nearest parent. */
function offsetOf(document: Document.Parsed, path: Parameters<LineOf>[0]): number {
  let offset = 0;
  let node: unknown = document.contents;
  for (const key of path) {
    const inner = isMap(node)
      ? pairOf(node, key)
      : isSeq(node)
        ? { at: node.items[Number(key)], value: node.items[Number(key)] }
        : undefined;
    if (inner === undefined) break;
    if (isNode(inner.at)) offset = inner.at.range?.[0] ?? offset;
    node = inner.value;
  }
  return offset;
}

function pairOf(map: YAMLMap, key: string | number): { at: unknown; value: unknown } | undefined {
  const pair = map.items.find((each) => String(each.key) === String(key));
  return pair === undefined ? undefined : { at: pair.key, value: pair.value };
}

function sentence(message: string): string {
  return `${message.split("\n")[0]?.replace(/[.:\s]*$/, "")}.`;
}
