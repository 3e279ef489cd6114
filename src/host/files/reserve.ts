import { randomFillSync } from "node:crypto";
import { closeSync, constants, ftruncateSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ownBytes, writeFully } from "../sink/index.ts";
import { logError } from "./log-error.ts";

/** Disk space that we can still free for ourselves when the disk is full. */
export interface Reserve {
  /** Returns the space to the disk. Never throws, and may be called again. */
  free(): void;
}

/** Takes the space with a file called `reserve`, so that a run can still write its last records on a full disk. */
export function reserveSpace(directory: string, bytes: number = 64 * 1024): Reserve {
  const path = reservePath(directory);
  let fd: number | undefined;

  function free(): void {
    if (fd === undefined) return;
    const mine = fd;
    fd = undefined;
    // Truncate first: some file systems need space to remove a name. By descriptor: the path may name a different file by now.
    for (const step of [() => ftruncateSync(mine, 0), () => closeSync(mine), () => rmSync(path, { force: true })]) attempt(step);
  }

  try {
    rmSync(path, { force: true }); // left by a run that died
    fd = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
    const { error } = writeFully(fd, ownBytes(noise(bytes))); // zeros take no space on a file system that compresses
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

/** Frees the space that a dead process had reserved. */
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
    // The file is gone, or the disk has worse problems.
  }
}
