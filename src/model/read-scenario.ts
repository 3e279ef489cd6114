import { type Document, isMap, isNode, isSeq, LineCounter, parseDocument, type YAMLMap } from "yaml";
import { HarnessError } from "../core/errors.ts";
import { entriesOf, type Field, itemsOf, keysOf, type LineOf, required, rootField, stringOf } from "./field.ts";
import { readTurn } from "./read-turn.ts";
import { type Scenario, type Script, textTurn } from "./scenario.ts";

/** `run`, `expect` and `why` belong to the conformance runner (docs/conformance.md): the model does not read them. */
const SCENARIO = ["about", "marker", "turns", "subagents", "side", "watch", "run", "expect", "why"];

const MARKER = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** A scenario of YAML, which JSON is a part of. `file` names it in errors; its name without the ending is the default marker. */
export function readScenario(text: string, file: string): Scenario {
  const root = parse(text, file);
  const keys = keysOf(root, SCENARIO, "a scenario");
  const marker = readMarker(root, keys.get("marker"), file);
  const side = keys.get("side");
  const watch = keys.get("watch");
  return {
    marker,
    scripts: [{ marker, kind: "main", turns: readTurns(required(root, keys, "turns")) }, ...readSubagents(marker, keys.get("subagents"))],
    side: side === undefined ? textTurn("A scripted conversation") : readTurn(side),
    watch: watch === undefined ? [] : itemsOf(watch, "texts").map(stringOf),
  };
}

function readMarker(root: Field, field: Field | undefined, file: string): string {
  const marker = field === undefined ? nameOf(file) : stringOf(field);
  if (MARKER.test(marker)) return marker;
  if (field !== undefined) throw field.wrong("must be letters, digits, dots, dashes and underscores, as in read-and-fix.");
  throw root.wrong('needs the key "marker", because its file\'s name is none: letters, digits, dots, dashes and underscores.');
}

function readTurns(field: Field): Script["turns"] {
  const turns = itemsOf(field, "turns").map(readTurn);
  if (turns.length === 0) throw field.wrong("must have at least one turn.");
  return turns;
}

/** Their markers are `<scenario>/<name>`, so that no two files can mean the same one. */
function readSubagents(marker: string, field: Field | undefined): readonly Script[] {
  if (field === undefined) return [];
  return [...entriesOf(field, "subagents")].map(([name, script]) => {
    if (!MARKER.test(name)) throw script.wrong("must be named with letters, digits, dots, dashes and underscores.");
    const turns = readTurns(required(script, keysOf(script, ["turns"], "a subagent"), "turns"));
    return { marker: `${marker}/${name}`, kind: "subagent", turns };
  });
}

function nameOf(file: string): string {
  return (file.split(/[\\/]/).at(-1) ?? file).replace(/\.(?:ya?ml|json)$/i, "");
}

// the file ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

function parse(text: string, file: string): Field {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number) => lines.linePos(offset).line || 1;
  const problem = document.errors[0];
  if (problem !== undefined) throw new HarnessError("input", `${file}:${lineAt(problem.pos[0])}: not YAML: ${sentence(problem.message)}`);
  return rootField(resolved(document, file), file, (path) => lineAt(offsetOf(document, path)));
}

function resolved(document: Document.Parsed, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new HarnessError("input", `${file}:1: its aliases cannot be resolved; write the values out.`, { cause: error });
  }
}

/** Where the key, or the item, at the end of a path stands; else where the nearest thing around it does. */
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
