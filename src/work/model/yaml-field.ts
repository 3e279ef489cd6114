import { Composer, type Document, isMap, isNode, isSeq, Lexer, LineCounter, Parser, type YAMLMap } from "yaml";
import { HarnessError } from "../../pure/base/index.ts";
import { type Field, type LineOf, rootField } from "./field.ts";

/** Parses YAML or JSON and keeps the line of every value. Errors name `file`, and `name` says what the file should contain. */
export function yamlField(text: string, file: string, name = "the scenario"): Field {
  const lines = new LineCounter();
  const lineAt = (offset: number) => lines.linePos(offset).line || 1;
  const document = documentIn(text, lines, (offset, message) => {
    throw new HarnessError("input", `${file}:${lineAt(offset)}: not YAML: ${sentence(message)}`);
  });
  return rootField(resolved(document, file), file, (path) => lineAt(offsetOf(document, path)), name);
}

/** To compose this many takes half a second. A long text is one, so that this limits values, not bytes. */
const MOST_TOKENS = 50_000;

type Refuse = (offset: number, message: string) => never;

/** Stops at the first error. `parseDocument` collects them all, which took 0.9 s for 39 kB of `{}` in brackets, and four times that for 80 kB. */
function documentIn(text: string, lines: LineCounter, refuse: Refuse): Document.Parsed {
  const composer = new Composer({ prettyErrors: false, logLevel: "error" }); // warnings go to the terminal
  let first: (() => never) | undefined;
  Object.assign(composer, {
    onError(source: Source, _: string, message: string, isWarning?: boolean) {
      if (isWarning === true) return;
      first ??= () => refuse(startOf(source), message);
      first(); // it also reports what we throw, as an error of the text around it
    },
  });
  let found: Document.Parsed | undefined;
  for (const document of composer.compose(tokensOf(text, lines, refuse), true, text.length)) {
    if (found !== undefined) refuse(document.range[0], "Write one document only");
    const [problem] = document.errors;
    if (problem !== undefined) refuse(problem.pos[0], problem.message);
    found = document as Document.Parsed;
  }
  return found ?? refuse(0, "It has no document");
}

function* tokensOf(text: string, lines: LineCounter, refuse: Refuse): ReturnType<Parser["parse"]> {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  let count = 0;
  let offset = 0;
  for (const token of new Lexer().lex(text)) {
    if (++count > MOST_TOKENS) refuse(offset, "It has too many values");
    yield* parser.next(token);
    offset = parser.offset;
  }
  yield* parser.end();
}

/** How the composer names a place. */
type Source = number | readonly [number, number, number?] | { readonly offset: number };

function startOf(source: Source): number {
  return typeof source === "number" ? source : "offset" in source ? source.offset : source[0];
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
