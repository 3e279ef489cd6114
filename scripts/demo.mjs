// `npm run demo`: our own agent at work on a scripted model, live. Needs only Node; installs and builds on a fresh clone.
import { spawn } from "node:child_process";
import { join, relative } from "node:path";
import { ensureBuilt, ensureInstalled, root } from "./setup.mjs";

ensureInstalled();
ensureBuilt();

const cli = relative(process.cwd(), join(root, "dist/cli/harness.js"));
const child = spawn(process.execPath, [cli, "demo", ...process.argv.slice(2)], { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {}); // it is told too, and has something to finish
child.on("exit", (code, signal) => {
  process.exitCode = code ?? (signal === null ? 0 : 1);
});
