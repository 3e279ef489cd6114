#!/usr/bin/env node
/** One folder per command. It declares the command and loads the code only when the command is called. */

import { readFileSync, writeSync } from "node:fs";

// This file stays small so that `harness --version` takes hardly longer than starting Node.
if (isTooOld()) {
  writeSync(2, `harness: Node ${process.versions.node} is too old; install Node ${HARNESS_NODE} or newer.\n`);
  process.exitCode = 2;
} else if (!answerVersion() && hasSpace()) {
  const main = await loadMain();
  await main?.(process.argv.slice(2));
}

/** Loading opens many files at the same time. Under a low limit it fails before `report` exists. */
async function loadMain(): Promise<((args: readonly string[]) => Promise<void>) | undefined> {
  try {
    return (await import("./main.ts")).main;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && (error.code === "EMFILE" || error.code === "ENFILE"))) throw error;
    writeSync(2, "harness: Too many open files. Raise the limit with `ulimit -n 1024` and try again.\n");
    process.exitCode = 2;
    return undefined;
  }
}

function isTooOld(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [least = 0, leastMinor = 0] = HARNESS_NODE.split(".").map(Number);
  return major < least || (major === least && minor < leastMinor);
}

/**
 * Whether V8 gets enough address space (`ulimit -v`). With 1 GB and less it ends the process at random places, and our code cannot say why.
 * Elsewhere than on Linux the limit is not known.
 */
function hasSpace(): boolean {
  const least = 2_000_000_000;
  const space = Number(/^Max address space +(\d+)/m.exec(limits())?.[1] ?? Number.POSITIVE_INFINITY);
  if (space >= least) return true;
  const given = Math.floor(space / 1_000_000);
  writeSync(
    2,
    `harness: The address space is limited to ${given} MB, and Node needs 2000 MB. Raise the limit with \`ulimit -v unlimited\`.\n`,
  );
  process.exitCode = 2;
  return false;
}

function limits(): string {
  try {
    return readFileSync("/proc/self/limits", "latin1");
  } catch {
    return "";
  }
}

/** Answers a lone `--version`. If the write fails, the whole program tries again and reports why. */
function answerVersion(): boolean {
  const [first, ...rest] = process.argv.slice(2);
  if ((first !== "--version" && first !== "-V") || rest.length > 0) return false;
  try {
    writeSync(1, `${HARNESS_VERSION}\n`);
    return true;
  } catch {
    return false;
  }
}
