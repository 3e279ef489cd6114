import type { Store } from "../../pure/agents/index.ts";
import { HarnessError, parseObject } from "../../pure/base/index.ts";
import type { SessionFile } from "./session-file.ts";
import { wholeText } from "./whole-text.ts";

/** The records of a file that is one list, as lines. While its agent rewrites the file, it may be half a text. */
export function listRecords(store: Store, file: SessionFile): readonly string[] {
  return splitOf(store, file).records.map((record) => JSON.stringify(record));
}

/** What is around the list, as one line. */
export function aroundList(store: Store, file: SessionFile): string {
  return JSON.stringify(splitOf(store, file).about);
}

function splitOf(store: Store, file: SessionFile) {
  const value = parseObject(wholeText(file));
  if (value === undefined)
    throw new HarnessError("input", `${file.path} is not complete JSON. If its agent is writing it, import it again.`);
  return store.split?.(value) ?? { about: value, records: [] };
}
