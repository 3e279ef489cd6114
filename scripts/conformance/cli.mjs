// Our own command line, as it was built.
import { join } from "node:path";
import { root } from "../setup.mjs";

export const cli = join(root, "dist/cli/harness.js");

export function jsonLines(text) {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
