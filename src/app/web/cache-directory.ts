import { isAbsolute, join } from "node:path";
import { ensurePrivate } from "../../host/recording/index.ts";

/** Where the page keeps what it can make again: `$XDG_CACHE_HOME/harness/page`, by default under `~/.cache`. Ours alone. */
export function cacheDirectory(env: NodeJS.ProcessEnv, home: string): string {
  const given = env["XDG_CACHE_HOME"];
  const directory = join(given !== undefined && isAbsolute(given) ? given : join(home, ".cache"), "harness", "page");
  ensurePrivate(directory);
  return directory;
}
