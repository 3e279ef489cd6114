import { HarnessError } from "../../../pure/base/index.ts";

/** A case in a file that is read as a whole, as JSON, with its place for messages. */
export interface ParsedRow {
  readonly text: string;
  readonly line: number;
  readonly where: string;
}

/** What YAML says, with its aliases. A few lines of them must not become gigabytes: too many are one sentence. */
export function resolved(read: () => unknown, where: string): unknown {
  try {
    return read();
  } catch (cause) {
    throw new HarnessError("input", `${where}: aliases that are too many, or that name nothing.`, { cause });
  }
}
