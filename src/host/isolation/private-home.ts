import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Mount } from "../../pure/isolation/index.ts";
import type { Agent } from "../../pure/pipeline/index.ts";
import { writeAtomically } from "../files/index.ts";
import { readOwn } from "../process/index.ts";
import { forProgram, writeFile } from "../sink/index.ts";

export type HomeAgent = Pick<Agent, "credentialFiles" | "refreshedFiles" | "sessionFolders" | "needs">;

/** A home with an agent's login and sessions, and nothing else. */
export interface PrivateHome {
  readonly mounts: readonly Mount[];
  /** Copies refreshed credentials back. Returns the files that have changed in the user's home meanwhile, and were left alone. */
  close(): readonly string[];
}

/** Variables that move directories of the home. */
const XDG = {
  XDG_CONFIG_HOME: ".config",
  XDG_DATA_HOME: ".local/share",
  XDG_STATE_HOME: ".local/state",
  XDG_CACHE_HOME: ".cache",
};

interface Copied {
  readonly outside: string;
  readonly inside: string;
  readonly hash: string;
}

/** `folder` exists and is empty. */
export function privateHome(agent: HomeAgent, home: string, environment: NodeJS.ProcessEnv, folder: string): PrivateHome {
  const { credentialFiles = [], refreshedFiles = [], sessionFolders = [], needs: { moved = {} } = {} } = agent;
  const places = [{ under: "", outside: home, inside: join(folder, "home") }];
  for (const [variable, under] of Object.entries({ ...XDG, ...moved })) {
    const outside = environment[variable];
    if (outside) places.unshift({ under: `${under}/`, outside, inside: join(folder, variable) });
  }
  for (const { inside } of places) mkdirSync(inside, { recursive: true, mode: 0o700 });
  const placed = (file: string) => {
    const { under, outside, inside } = places.find((place) => file.startsWith(place.under)) ??
      places[0] ?? { under: "", outside: home, inside: folder };
    const rest = file.slice(under.length);
    return { outside: join(outside, rest), inside: join(inside, rest) };
  };
  const copied: Copied[] = [];
  for (const file of credentialFiles) {
    const { outside, inside } = placed(file);
    const bytes = readOwn(outside);
    if (bytes === undefined) continue;
    mkdirSync(dirname(inside), { recursive: true, mode: 0o700 });
    writeFile(inside, forProgram(bytes), { mode: 0o600, flag: "wx" });
    if (refreshedFiles.includes(file)) copied.push({ outside, inside, hash: sha256(bytes) });
  }
  const sessions = sessionFolders.map((file): Mount => {
    const { outside } = placed(file);
    mkdirSync(outside, { recursive: true, mode: 0o700 });
    return { kind: "write", path: outside };
  });
  return {
    mounts: [...places.reverse().map(({ outside, inside }): Mount => ({ kind: "write", path: outside, from: inside })), ...sessions],
    close: () => copied.flatMap((file) => (isCopiedBack(file, folder) ? [] : [file.outside])),
  };
}

/** The agent could have put a link anywhere in its home: only a file in real directories is its own. */
function isCopiedBack({ outside, inside, hash }: Copied, folder: string): boolean {
  for (let path = inside; path !== folder; path = dirname(path)) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined || stats.isSymbolicLink()) return true;
  }
  const fresh = readOwn(inside);
  if (fresh === undefined || sha256(fresh) === hash) return true;
  const now = readOwn(outside);
  if (now === undefined || sha256(now) !== hash) return false;
  writeAtomically(realpathSync(outside), forProgram(fresh.toString("utf8")));
  return true;
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
