import { breathing } from "./breathing.ts";
import { budgetOf, type Limits } from "./budget.ts";
import { entryBatches, type OnTime } from "./entry-batches.ts";
import { entryReader, modeOf } from "./entry-reader.ts";
import type { Entry, Manifest } from "./manifest.ts";
import { type ManifestWriter, manifestWriter } from "./manifest-writer.ts";
import type { Objects } from "./objects.ts";
import { walk } from "./walk.ts";

export interface SnapshotOptions {
  /** The manifest to write. The file must not exist and should be outside the workspace. */
  readonly to: string;
  /** Where to store contents, for rebuilding the workspace and for patches. */
  readonly keep?: Objects;
  readonly limits?: Partial<Limits>;
  /** Our own rules: a name anywhere, or a path from the root; `*` matches any part of a name. */
  readonly ignore?: readonly string[];
  /** Use plain paths, as on systems other than Linux. */
  readonly byPath?: boolean;
  /** Also called for directories, whose paths end in `/`; the root is `./`. */
  readonly onTime?: OnTime;
}

/**
 * Lists everything in a directory, including `.git`, with hashes. Every file is read every time: size, times and inode do not prove that
 * contents are the same (docs/decisions/0016-our-own-walker.md).
 */
export async function snapshot(root: string, { to, keep, limits, ignore = [], byPath, onTime }: SnapshotOptions): Promise<Manifest> {
  const budget = budgetOf(limits);
  const entryAt = entryReader(budget, keep, onTime);
  const entries = entryBatches({ budget, entryAt, onEntry: (entry) => writer?.entry(entry), keep, onTime });
  const breath = breathing();
  let writer: ManifestWriter | undefined;
  /** The last directory. It is written with the next step, when we know whether its names could be listed. */
  let directory: Entry | undefined;
  const release = (unlisted?: Entry["unlisted"]): void => {
    if (directory !== undefined) entries.put(unlisted === undefined ? directory : { ...directory, unlisted });
    else if (unlisted !== undefined) writer?.root(unlisted);
    directory = undefined;
  };
  try {
    for (const step of walk(root, { budget, ignore, mayBeLink: true, byPath, release: entries.release })) {
      if (step.step === "unlisted") {
        release(step.reason);
        continue;
      }
      release();
      if (step.step === "enter") onTime?.(writer === undefined ? "./" : `${step.path}/`, step.stats.ctimeMs);
      if (step.step === "enter" && writer === undefined) writer = manifestWriter(to, modeOf(step.stats), ignore);
      else if (step.step === "enter") directory = { path: step.path, type: "directory", mode: modeOf(step.stats) };
      else if (step.step === "ignored") writer?.ignored();
      else if (step.step === "lost") writer?.root("lost");
      else if (step.step === "entry" && step.type === "directory") directory = entryAt(step);
      else if (step.step === "entry" && step.type === "file") entries.read(step);
      else if (step.step === "entry") entries.put(entryAt(step));
      entries.settle();
      if (breath.due()) await breath.take();
    }
    release();
    entries.finish();
    return (writer as ManifestWriter).finish(budget.spent());
  } catch (error) {
    writer?.abandon();
    throw error;
  } finally {
    await entries.close();
  }
}
