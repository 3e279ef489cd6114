import { randomFillSync } from "node:crypto";
import { closeSync, constants, ftruncateSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { logError } from "./log-error.ts";
import { writeFully } from "./write-fully.ts";

/** Space on a disk that we can still give ourselves when there is no other. */
export interface Reserve {
  /** Gives it back to the disk. Never throws, and may be called again. */
  free(): void;
}

/** Takes the space with a file `reserve`, so that on a full disk the last words of a run can still be written. */
export function reserveSpace(directory: string, bytes: number = 64 * 1024): Reserve {
  const path = reservePath(directory);
  let fd: number | undefined;

  function free(): void {
    if (fd === undefined) return;
    const mine = fd;
    fd = undefined;
    // The bytes go first: some file systems need space to forget a name. By descriptor: what the name leads to by now may not be ours.
    for (const step of [() => ftruncateSync(mine, 0), () => closeSync(mine), () => rmSync(path, { force: true })]) attempt(step);
  }

  try {
    rmSync(path, { force: true }); // of a run that died
    fd = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
    const { error } = writeFully(fd, noise(bytes)); // zeros take no space on a file system that compresses
    if (error !== undefined) throw error;
  } catch (error) {
    free();
    throw logError(`Cannot reserve ${bytes} bytes in ${directory}`, error);
  }
  return { free };
}

let block: Buffer | undefined;

function noise(bytes: number): Buffer {
  if (block?.length !== bytes) block = Buffer.allocUnsafeSlow(bytes);
  return randomFillSync(block);
}

/** Gives back what a process has reserved that died. */
export function removeReserve(directory: string): void {
  rmSync(reservePath(directory), { force: true });
}

function reservePath(directory: string): string {
  return join(directory, "reserve");
}

function attempt(step: () => void): void {
  try {
    step();
  } catch {
    // It is gone, or the disk is worse off than full.
  }
}
