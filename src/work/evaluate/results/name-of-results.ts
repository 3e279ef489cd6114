import { createHash } from "node:crypto";
import { resolve } from "node:path";

/** Names what the data directory has about a file of results, wherever that file is. */
export function nameOfResults(file: string): string {
  return createHash("sha256").update(resolve(file)).digest("hex").slice(0, 32);
}
