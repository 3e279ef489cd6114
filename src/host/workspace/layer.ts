import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, constants, copyFileSync, mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { removeTree } from "./remove-tree.ts";

/** A directory that shows a tree and takes all changes, without a copy. */
export interface Layer {
  /** Resolves when it is no longer mounted, and its changes are gone. */
  close(): Promise<void>;
}

/**
 * Without `redirect_dir`, a directory of the tree cannot be renamed. $1: the tree, $2: what has changed, $3: a directory for the kernel, $4: the place. Unmounts it when its stdin ends, which also happens if we
 * are killed.
 */
const MOUNT = `mount --types overlay --options "redirect_dir=on,lowerdir=$1,upperdir=$2,workdir=$3" overlay "$4" 2>/dev/null || exit 1
trap '' HUP INT QUIT TERM
echo mounted
read -r _
umount "$4" 2>/dev/null || umount --lazy "$4"`;

/**
 * Covers an empty directory with a layer over `tree`, as an overlay of the kernel. Undefined if that is not possible here: only root may,
 * and not on every file system. `tree` must not change while it is covered. `folder` is a new directory next to it, on the same file system.
 */
export async function layOver(tree: string, into: string, folder: string): Promise<Layer | undefined> {
  if (process.platform !== "linux" || process.getuid?.() !== 0 || [tree, into, folder].some((path) => /[,:\\\n]/.test(path)))
    return undefined;
  const [changes, work] = [join(folder, "changes"), join(folder, "work")];
  for (const path of [folder, changes, work]) mkdirSync(path, { mode: 0o700 });
  chmodSync(changes, statSync(tree).mode & 0o3777); // the root of an overlay is that of its changes
  const child = spawn("/bin/sh", ["-c", MOUNT, "harness-layer", tree, changes, work, into], {
    stdio: ["pipe", "pipe", "ignore"],
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
    detached: true,
  });
  const ended = new Promise<void>((resolve) => {
    child.on("error", () => resolve()).on("close", () => resolve());
  });
  child.stdin?.on("error", () => {});
  if (!(await isMounted(child, ended))) {
    await removeTree(folder);
    return undefined;
  }
  return {
    async close() {
      child.stdin?.end();
      await ended;
      await removeTree(folder);
    },
  };
}

/**
 * Fills an empty directory with clones of the files in `tree`, which share their blocks until one of them changes. False if the file system
 * has no clones. `sample` is any file next to the tree.
 */
export async function cloneTree(tree: string, into: string, sample: string): Promise<boolean> {
  if (process.platform !== "linux") return false;
  const tried = `${into}.clone`;
  try {
    copyFileSync(sample, tried, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE);
  } catch {
    return false;
  } finally {
    rmSync(tried, { force: true });
  }
  const args = ["--archive", "--no-preserve=ownership", "--reflink=always", "--", `${tree}/.`, into];
  const child = spawn("cp", args, { stdio: "ignore", env: { PATH: "/usr/bin:/bin" } });
  const status = await new Promise((resolve) => {
    child.on("error", resolve).on("close", resolve);
  });
  if (status !== 0) await removeTree(into);
  return status === 0;
}

async function isMounted({ stdout }: ChildProcess, ended: Promise<void>): Promise<boolean> {
  if (stdout === null) return false;
  return await Promise.race([once(stdout, "data").then(() => true), ended.then(() => false)]);
}
