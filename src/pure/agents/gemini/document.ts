// The one document of `--output-format json`, which Gemini CLI prints indented by two, line by line. Part of gemini.ts.

import { type JsonObject, parseObject } from "../../base/index.ts";
import type { RecordRef } from "../../events/index.ts";
import type { RunContext } from "../../pipeline/index.ts";

/** Where the parts of a document stand: the lines of each of its keys, and of its own braces under "". */
export type Places = ReadonlyMap<string, readonly RecordRef[]>;

export interface Held {
  /** All lines of it, as they were printed. */
  readonly text: string;
  /** Undefined for lines that are not one JSON object together. */
  readonly value: JsonObject | undefined;
  readonly places: Places;
}

/** Holds the lines of the document until it is whole. A line that cannot be part of it is left to others. */
export function geminiDocument(run: RunContext) {
  let lines: string[] = [];
  let places = new Map<string, RecordRef[]>();
  let key = ""; // the member that the lines belong to

  function take(): Held {
    const held = { text: lines.join("\n"), value: parseObject(lines.join("\n")), places };
    lines = [];
    places = new Map();
    return held;
  }

  return {
    /** Undefined: not a line of a document. */
    line(text: string): Held | "held" | undefined {
      const isBrace = lines.length === 0 ? text === "{" : text === "}";
      if (!isBrace && !(lines.length > 0 && isPart(text))) return undefined;
      key = isBrace ? "" : (/^ {2}"([^"\\]*)":/.exec(text)?.[1] ?? key);
      lines.push(text);
      const refs = places.get(key);
      if (refs === undefined) places.set(key, [run.here]);
      else refs.push(run.here);
      return text === "}" ? take() : "held";
    },
    /** The stream ended in the middle of one. */
    rest: (): Held | undefined => (lines.length === 0 ? undefined : take()),
  };
}

/** Indented, and beginning and ending as a line of indented JSON does. Cheap: an answer may be megabytes long. */
function isPart(text: string): boolean {
  return /^ {2,}["{}[\]\-\dtfn]/.test(text.slice(0, 80)) && /["{}[\]\del],?$/.test(text.slice(-2));
}
