#!/usr/bin/env node
/** One folder per command: it declares the command, and loads what the command does when it is called. */

import { writeSync } from "node:fs";

// The entry stays this small so that asking for the version costs hardly more than starting Node.
if (isTooOld()) {
  writeSync(2, `harness: Node ${HARNESS_NODE} or newer is needed; this is ${process.versions.node}.\n`);
  process.exitCode = 2;
} else if (!answerVersion()) {
  const { main } = await import("./main.ts");
  await main(process.argv.slice(2));
}

function isTooOld(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [least = 0, leastMinor = 0] = HARNESS_NODE.split(".").map(Number);
  return major < least || (major === least && minor < leastMinor);
}

/** Answers a lone `--version`; where that fails, the whole program does it again and reports why. */
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
