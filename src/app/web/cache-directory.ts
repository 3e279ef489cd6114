import { isAbsolute, join } from "node:path";
import { ensurePrivate } from "../../host/recording/index.ts";

/** The directory for files that the page can regenerate: `$XDG_CACHE_HOME/harness/page`, by default under `~/.cache`. Only the user can read it. */
export function cacheDirectory(env: NodeJS.ProcessEnv, home: string): string {
  const given = env["XDG_CACHE_HOME"];
  const directory = join(given !== undefined && isAbsolute(given) ? given : join(home, ".cache"), "harness", "page");
  ensurePrivate(directory);
  return directory;
}
