// The single document of `--output-format json`, as Goose prints it: line by line, indented by two.

import { isShallow, parseJson } from "../../base/index.ts";
import type { RecordRef } from "../../events/index.ts";
import type { RunContext, Translated } from "../../pipeline/index.ts";

/** A value of the document: an element of one of its arrays, or the value of a key. */
interface Found {
  readonly key: string;
  readonly value: unknown;
  /** Its lines. */
  readonly from: readonly RecordRef[];
}

interface Piece {
  readonly key: string;
  readonly indent: string;
  readonly lines: string[];
  readonly from: RecordRef[];
}

/**
 * Returns the document's messages one by one while it is printed, and keeps only one of them. The indentation shows where a value
 * ends, because JSON strings contain no newline. Lines that cannot be part of the document stay with the caller.
 */
export function gooseDocument(run: RunContext) {
  let opened: RecordRef | undefined; // the line of the outer brace, while the document is open
  let array: string | undefined; // the key of the current array
  let piece: Piece | undefined; // the current object
  let isEmpty = true;

  /** Undefined: not a line of a document. Otherwise the values it completed, possibly none. */
  function line(text: string): readonly Found[] | undefined {
    if (opened === undefined) return text === "{" ? open() : undefined;
    if (text === "}") return close();
    if (!isPart(text)) return undefined;
    isEmpty = false;
    if (piece !== undefined) return continued(piece, text);
    return array === undefined ? member(text) : element(array, text);
  }

  function open(): readonly Found[] {
    opened = run.here;
    isEmpty = true;
    return [];
  }

  function close(): readonly Found[] | undefined {
    if (piece !== undefined || array !== undefined) return undefined;
    opened = undefined;
    return [];
  }

  /** `  "key": …` */
  function member(text: string): readonly Found[] | undefined {
    const [, key, rest] = /^ {2}"([^"\\]*)": (.*)$/s.exec(text) ?? [];
    if (key === undefined || rest === undefined) return undefined;
    if (rest === "[") array = key;
    else if (rest === "{") piece = begin(key, "  ", rest);
    else return whole(key, rest);
    return [];
  }

  /** `    {`, a scalar, or the end of the array. */
  function element(key: string, text: string): readonly Found[] {
    if (text === "  ]" || text === "  ],") array = undefined;
    else if (text === "    {" || text === "    [") piece = begin(key, "    ", text);
    else return whole(key, text);
    return [];
  }

  function continued(current: Piece, text: string): readonly Found[] {
    current.lines.push(text);
    current.from.push(run.here);
    if (!text.startsWith(current.indent) || !/^[}\]],?$/.test(text.slice(current.indent.length, current.indent.length + 3))) return [];
    piece = undefined;
    return [{ key: current.key, value: parsed(current.lines.join("\n")), from: current.from }];
  }

  function begin(key: string, indent: string, text: string): Piece {
    return { key, indent, lines: [text], from: [run.here] };
  }

  function whole(key: string, text: string): readonly Found[] {
    return [{ key, value: parsed(text), from: [run.here] }];
  }

  return {
    line,
    get isOpen(): boolean {
      return opened !== undefined;
    },
    /** What is left if the stream ends inside a document. */
    end(): readonly Translated[] {
      if (piece !== undefined) return [{ type: "unknown", raw: piece.lines.join("\n").trimStart(), truncated: true, from: piece.from }];
      return opened !== undefined && isEmpty ? [{ type: "unknown", raw: "{", from: [opened] }] : [];
    },
  };
}

/** Indented, and starts and ends like a line of indented JSON. Cheap, because a line may be megabytes long. */
function isPart(text: string): boolean {
  const last = text.endsWith(",") ? text.length - 2 : text.length - 1;
  return /^ +["{}[\]\-\dtfn]/.test(text.slice(0, 64)) && /["{}[\]\del]/.test(text[last] ?? "");
}

/** The value, or the text if it is not JSON. */
function parsed(text: string): unknown {
  const trimmed = text.trim();
  try {
    const value: unknown = parseJson(trimmed.endsWith(",") ? trimmed.slice(0, -1) : trimmed);
    return isShallow(value) ? value : trimmed;
  } catch {
    return trimmed;
  }
}
