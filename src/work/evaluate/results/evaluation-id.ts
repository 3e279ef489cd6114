import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeAtomically } from "../../../host/files/index.ts";
import { type DataDirectory, ensurePrivate } from "../../../host/recording/index.ts";
import { hideSecretsIn } from "../../../host/secrets/index.ts";
import { json, own } from "../../../host/sink/index.ts";
import { parseObject, stringOf } from "../../../pure/base/index.ts";
import { nameOfResults } from "./name-of-results.ts";

/** The id of the evaluation that a file of results belongs to. Its runs have it in their sealed recordings. */
export interface EvaluationId {
  /** Undefined if an earlier version, which had no ids, began the file. */
  readonly id: string | undefined;
  /** Notes under the path of the results which evaluation began them. */
  keep(): void;
}

/** A file that continues has the id it was begun with; one that came from elsewhere, the id in its first line. */
export function evaluationIdOf(
  data: DataDirectory,
  file: string,
  { isContinued, lines }: { readonly isContinued: boolean; readonly lines: readonly { readonly evaluation?: string }[] },
): EvaluationId {
  const folder = join(data.root, "evaluations", "begun");
  const path = join(folder, `${nameOfResults(file)}.json`);
  const earlier = isContinued ? (readId(path) ?? lines[0]?.evaluation) : undefined;
  const id = earlier ?? (isContinued && lines.length > 0 ? undefined : randomUUID());
  return {
    id,
    keep() {
      if (id === undefined) return;
      ensurePrivate(folder);
      writeAtomically(path, own`${json(hideSecretsIn({ evaluation: id }))}\n`);
    },
  };
}

function readId(path: string): string | undefined {
  try {
    return stringOf(parseObject(readFileSync(path, "utf8"))?.["evaluation"]);
  } catch {
    return undefined; // begun elsewhere, or by an earlier version
  }
}
