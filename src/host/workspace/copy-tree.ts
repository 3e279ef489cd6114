import { closeSync, constants, fchmodSync, futimesSync, mkdirSync, openSync, readlinkSync, symlinkSync } from "node:fs";
import { codeOf, HarnessError } from "../../pure/base/index.ts";
import { reasonOf } from "../files/index.ts";
import { forProgram, writeFully } from "../sink/index.ts";
import { breathing } from "./breathing.ts";
import { budgetOf, type Limits } from "./budget.ts";
import { descend } from "./descent.ts";
import { emptyDirectory } from "./empty-directory.ts";
import { type Reader, reader } from "./read-regular.ts";
import type { NotMade, Rebuilt } from "./rebuild.ts";
import { walk } from "./walk.ts";

export interface CopyOptions {
  readonly limits?: Partial<Limits>;
  readonly ignore?: readonly string[];
  readonly byPath?: boolean;
  /** Stops the copy halfway, with an error. */
  readonly signal?: AbortSignal;
}

const WRITE_NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/**
 * Copies a tree into a new or empty directory: contents, permissions and file times; links as links, wherever they lead; `.git` like
 * everything else. Every file becomes an independent copy. Special files are left out and reported.
 */
export async function copyTree(from: string, into: string, { limits, ignore, byPath, signal }: CopyOptions = {}): Promise<Rebuilt> {
  const budget = budgetOf(limits);
  const read = reader(budget);
  const breath = breathing();
  const notMade: NotMade[] = [];
  const modes: number[] = [];
  let made = 0;
  const steps = walk(from, { budget, mayBeLink: true, ...(ignore && { ignore }), ...(byPath !== undefined && { byPath }) });
  const first = steps.next(); // throws before anything is created if there is no such directory
  if (first.done || first.value.step !== "enter") return { made, notMade };
  emptyDirectory(into);
  const target = descend(into, { mayBeLink: true, ...(byPath !== undefined && { byPath }) });
  try {
    for (const step of steps) {
      if (step.step === "enter") {
        mkdirSync(target.at(step.name), 0o700);
        target.enter(step.name);
        modes.push(step.stats.mode);
        made++;
      } else if (step.step === "leave") {
        fchmodSync(target.fd(), (modes.pop() ?? 0o700) & 0o3777);
        target.leave();
      } else if (step.step === "unlisted" || step.step === "lost") {
        notMade.push({ path: step.path, reason: `its names could not be listed (${step.step === "lost" ? "changed" : step.reason})` });
      } else if (step.step === "entry" && step.type !== "directory") {
        const reason = copied(step.type, step.at, target.at(step.name), read);
        if (reason === undefined) made++;
        else notMade.push({ path: step.path, reason });
      }
      if (breath.due()) await breath.take();
      signal?.throwIfAborted();
    }
    fchmodSync(target.fd(), first.value.stats.mode & 0o3777);
  } catch (error) {
    if (error instanceof HarnessError) throw error;
    throw new HarnessError("output", `Cannot copy ${from} into ${into}: ${reasonOf(error)}.`, { cause: error });
  } finally {
    target.close();
    steps.return();
  }
  return { made, notMade };
}

/** Undefined, or the reason why it was not copied. */
function copied(type: string, at: string | Buffer, to: string | Buffer, read: Reader): string | undefined {
  if (type === "file") return copiedFile(at, to, read);
  if (type !== "link") return `it is a special file (${type})`;
  let text: Buffer;
  try {
    text = readlinkSync(at, { encoding: "buffer" });
  } catch (error) {
    return `it could not be read (${codeOf(error)})`;
  }
  symlinkSync(text, to);
  return undefined;
}

/** An unreadable file is not created. If reading fails halfway, the copy keeps the part that was read. */
function copiedFile(at: string | Buffer, to: string | Buffer, read: Reader): string | undefined {
  let fd: number | undefined;
  try {
    const found = read(at, (piece) => {
      fd ??= openSync(to, WRITE_NEW, 0o600);
      const { error } = writeFully(fd, forProgram(piece));
      if (error !== undefined) throw error;
    });
    if ("unread" in found) return `its contents could not be read (${found.unread})`;
    fd ??= openSync(to, WRITE_NEW, 0o600);
    fchmodSync(fd, found.stats.mode & 0o1777);
    futimesSync(fd, found.stats.atimeMs / 1000, found.stats.mtimeMs / 1000);
    if ((found.stats.mode & 0o6000) !== 0) return "made, but without its set-user-id or set-group-id bit";
    return found.changing ? "made, but it changed while it was read" : undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
