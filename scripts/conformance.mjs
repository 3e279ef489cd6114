// `npm run conformance -- claude codex`: `harness conformance --install` from this source tree. With --record it also updates the goldens
// and the files generated from the corpus.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, root, step } from "./setup.mjs";

ensureInstalled();
ensureBuilt();
const args = process.argv.slice(2);
const { status } = spawnSync(process.execPath, [join(root, "dist/cli/harness.js"), "conformance", "--install", ...args], {
  cwd: root,
  stdio: "inherit",
});
process.exitCode = status ?? 1;
if (args.includes("--record") && (status === 0 || status === 1)) {
  step("Writing goldens (npm run goldens)", process.execPath, ["scripts/goldens.mjs"]);
  await import("./corpus.mjs");
}
