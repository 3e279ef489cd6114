// `npm run conformance -- claude codex`: `harness conformance --install` of this source tree; with --record the goldens, and what follows from the corpus, too.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, root } from "./setup.mjs";

ensureInstalled();
ensureBuilt();
const args = process.argv.slice(2);
const { status } = spawnSync(process.execPath, [join(root, "dist/cli/harness.js"), "conformance", "--install", ...args], {
  cwd: root,
  stdio: "inherit",
});
process.exitCode = status ?? 1;
// Goldens are made of fixtures by vitest, in a process of its own that ends this one if it fails.
if (args.includes("--record") && (status === 0 || status === 1)) {
  await import("./goldens.mjs");
  await import("./corpus.mjs");
}
