import { join } from "node:path";
import { keyFilter } from "../../pure/isolation/index.ts";
import { ownBytes, writeFile } from "../sink/index.ts";

/** $1: a file. Becomes the rest, with the file as descriptor 9. */
const WITH_FILE = `file=$1; shift; exec "$@" 9<"$file"`;

/** A command that builds walls with bubblewrap, and a filter that denies programs inside the keys of the user. */
export function filtered(place: string, bubblewrap: string, args: readonly string[]): readonly string[] {
  const file = join(place, "filter");
  writeFile(file, ownBytes(keyFilter()), { mode: 0o600 });
  return ["/bin/sh", "-c", WITH_FILE, "harness-guard", file, bubblewrap, "--seccomp", "9", ...args];
}
