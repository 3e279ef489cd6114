import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FindSecrets, maskBytes } from "../../host/secrets/index.ts";
import { compare, copyTree, openObjects, patch, removeTree, snapshot } from "../../host/workspace/index.ts";
import { errorWords, gitPatch, HarnessError } from "../../pure/base/index.ts";

/** A private copy of the files with which the recorded run began. */
export interface StartFiles {
  readonly workspace: string;
  /** Compares what the agent has changed with the recorded patch. */
  compared(find: FindSecrets): Promise<FilesCompared>;
  remove(): Promise<void>;
}

export interface FilesCompared {
  /** Null: the recording has no patch, or the new one could not be made. */
  readonly equal: boolean | null;
  /** Paths that the two patches change differently. */
  readonly differing: readonly string[];
  readonly problem?: string;
}

const MOST_NAMED = 50;
/** A longer patch is compared as a whole. */
const LONGEST_READ = 32 * 1024 * 1024;

/** `from`: undefined for an empty workspace. `recorded`: the directory of the recording. */
export async function startFiles(from: string | undefined, recorded: string, signal: AbortSignal | undefined): Promise<StartFiles> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "harness-rerun-")));
  const workspace = join(folder, "workspace");
  const notes = join(folder, "notes");
  const objects = () => openObjects(join(notes, "contents"), { isShared: false });
  const remove = async () => {
    await removeTree(folder).catch(() => rmSync(folder, { recursive: true, force: true }));
  };
  try {
    mkdirSync(workspace, { mode: 0o700 });
    mkdirSync(notes, { mode: 0o700 });
    if (from !== undefined) {
      if (!statSync(from, { throwIfNoEntry: false })?.isDirectory())
        throw new HarnessError("usage", `Workspace not found: ${from}.`, { option: "workspace" });
      await copyTree(from, workspace, signal === undefined ? {} : { signal });
    }
    const kept = objects();
    const before = await snapshot(workspace, { to: join(notes, "before.jsonl"), keep: kept });
    return {
      workspace,
      remove,
      async compared(find) {
        try {
          const after = await snapshot(workspace, { to: join(notes, "after.jsonl"), keep: kept });
          const to = join(notes, "now.patch");
          await patch(compare(before, after, { objects: kept }), kept, { to, shown: (bytes) => maskBytes(bytes, find).bytes });
          return comparePatches(join(recorded, "artifacts/fs_diff.patch"), to);
        } catch (error) {
          return { equal: null, differing: [], problem: errorWords(error) };
        } finally {
          kept.close();
        }
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

function comparePatches(recorded: string, now: string): FilesCompared {
  if (!existsSync(recorded)) return { equal: null, differing: [], problem: "the recording has no patch" };
  const [before, after] = [readFileSync(recorded), readFileSync(now)];
  if (before.equals(after)) return { equal: true, differing: [] };
  if (before.length + after.length > LONGEST_READ) return { equal: false, differing: [] };
  const [old, made] = [filesOf(before.toString("utf8")), filesOf(after.toString("utf8"))];
  const paths = [...new Set([...old.keys(), ...made.keys()])];
  return { equal: false, differing: paths.filter((path) => old.get(path) !== made.get(path)).slice(0, MOST_NAMED) };
}

/** The part of a patch for each of its files. */
function filesOf(text: string): ReadonlyMap<string, string> {
  return new Map(
    text
      .split(/^(?=diff --git )/m)
      .filter((part) => part !== "")
      .map((part) => [gitPatch(part)[0]?.path ?? part.split("\n", 1)[0] ?? "", part]),
  );
}
