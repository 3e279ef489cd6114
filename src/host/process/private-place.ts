import { closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Agent } from "../../pure/pipeline/index.ts";

/** Folders that a program has for itself: nothing of another one is in reach by accident. */
export interface PrivatePlace {
  readonly root: string;
  readonly workspace: string;
  readonly home: string;
  readonly tmp: string;
  /** By these a program finds its home there; caches of package managers that have a variable of their own stay shared. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Makes them, for the user alone. `root` may exist. */
export function makePrivatePlace(root: string): PrivatePlace {
  const [workspace, home, tmp] = [join(root, "workspace"), join(root, "home"), join(root, "tmp")];
  for (const folder of [workspace, home, tmp]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const variables = {
    HOME: home,
    TMPDIR: tmp,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local/share"),
    XDG_STATE_HOME: join(home, ".local/state"),
    XDG_CACHE_HOME: join(home, ".cache"),
  };
  return { root, workspace, home, tmp, variables };
}

/** Larger is not a credential. */
const LARGEST = 4 * 1024 * 1024;

/**
 * Copies what the agent needs to stay logged in: the files that its own file names, and nothing else. They are copied in, never back,
 * and they are outside everything that is recorded.
 */
export function copyCredentials({ credentialFiles = [] }: Pick<Agent, "credentialFiles">, from: string, into: string): void {
  for (const file of credentialFiles) {
    const bytes = readOwn(join(from, file));
    if (bytes === undefined) continue;
    mkdirSync(dirname(join(into, file)), { recursive: true, mode: 0o700 });
    writeFileSync(join(into, file), bytes, { mode: 0o600, flag: "wx" });
  }
}

function readOwn(path: string): Buffer | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(fd);
    return stats.isFile() && stats.size <= LARGEST ? readFileSync(fd) : undefined;
  } catch {
    return undefined; // not logged in that way
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
