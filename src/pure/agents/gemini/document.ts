// The document of `--output-format json`, which Gemini CLI prints line by line, indented by two.

import { type JsonObject, parseObject } from "../../base/index.ts";
import type { RecordRef } from "../../events/index.ts";
import type { RunContext } from "../../pipeline/index.ts";

/** The lines of each key of a document; its own braces are under "". */
export type Places = ReadonlyMap<string, readonly RecordRef[]>;

export interface Held {
  /** All its lines, verbatim. */
  readonly text: string;
  /** Undefined if the lines are not one JSON object. */
  readonly value: JsonObject | undefined;
  readonly places: Places;
}

/** Holds the lines of the document until it is complete. Lines that cannot be part of it stay with the caller. */
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
    /** The unfinished document at the end of the stream. */
    rest: (): Held | undefined => (lines.length === 0 ? undefined : take()),
  };
}

/** Indented, and starts and ends like a line of indented JSON. Cheap, because an answer may be megabytes long. */
function isPart(text: string): boolean {
  return /^ {2,}["{}[\]\-\dtfn]/.test(text.slice(0, 80)) && /["{}[\]\del],?$/.test(text.slice(-2));
}
