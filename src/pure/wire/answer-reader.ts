import { arrayOf, objectOf, parseJson, parseObject } from "../base/index.ts";
import type { Dialect, Said } from "./dialects.ts";

/** Reads an answer as it arrives: a stream of events, or one document. */
export interface AnswerReader {
  /** Returns whether this piece held the first content. */
  push(text: string): boolean;
  end(): Said;
}

/** A longer line or document is not read: it stays in the recording. */
const LONGEST = 16 * 1024 * 1024;

export function answerReader(dialect: Dialect, isStream: boolean): AnswerReader {
  const said: Said = { model: null, usage: null, finish: null, error: null, hasContent: false };
  let rest = "";
  let isTooLong = false;

  function line(text: string): void {
    if (!text.startsWith("data:")) return;
    const event = parseObject(text.slice("data:".length).trim());
    if (event !== undefined) dialect.read(event, said);
  }

  /** A gateway may answer with a page, or with half of an object. */
  function whole(text: string): void {
    let value: unknown;
    try {
      value = parseJson(text);
    } catch {
      return;
    }
    for (const each of arrayOf(value) ?? [value]) {
      const event = objectOf(each);
      if (event !== undefined) dialect.read(event, said);
    }
  }

  return {
    push(text) {
      const had = said.hasContent;
      rest += text;
      if (isStream) {
        const lines = rest.split("\n");
        rest = lines.pop() ?? "";
        for (const each of lines) if (!isTooLong) line(each.trimEnd());
      }
      if (rest.length > LONGEST) {
        isTooLong = true;
        rest = "";
      }
      return !had && (isStream ? said.hasContent : text !== "");
    },
    end() {
      if (isStream) line(rest.trimEnd());
      else if (!isTooLong) whole(rest);
      return said;
    },
  };
}
