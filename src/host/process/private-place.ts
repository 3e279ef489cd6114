import { closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Agent } from "../../pure/pipeline/index.ts";
import { forProgram, writeFile } from "../sink/index.ts";

/** Folders for one program alone, so that it does not reach another program's files by accident. */
export interface PrivatePlace {
  readonly root: string;
  readonly workspace: string;
  readonly home: string;
  readonly tmp: string;
  /** Point a program to this home. Package manager caches with their own variable stay shared. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Creates the folders with mode 0700. `root` may exist. */
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

/** Credentials are smaller than this. */
const LARGEST = 4 * 1024 * 1024;

/** Copies the agent's own list of login files, and nothing else. Never copied back, and outside everything that is recorded. */
export function copyCredentials({ credentialFiles = [] }: Pick<Agent, "credentialFiles">, from: string, into: string): void {
  for (const file of credentialFiles) {
    const bytes = readOwn(join(from, file));
    if (bytes === undefined) continue;
    mkdirSync(dirname(join(into, file)), { recursive: true, mode: 0o700 });
    writeFile(join(into, file), forProgram(bytes), { mode: 0o600, flag: "wx" });
  }
}

/** A file of at most 4 MiB; undefined if there is none. */
export function readOwn(path: string): Buffer | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(fd);
    return stats.isFile() && stats.size <= LARGEST ? readFileSync(fd) : undefined;
  } catch {
    return undefined; // not logged in this way
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
