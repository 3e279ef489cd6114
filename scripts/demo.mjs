// `npm run demo`: installs and builds if needed, then runs `harness demo`. Needs only Node.
import { spawn } from "node:child_process";
import { join, relative } from "node:path";
import { ensureBuilt, ensureInstalled, root } from "./setup.mjs";

ensureInstalled();
ensureBuilt();

const cli = relative(process.cwd(), join(root, "dist/cli/harness.js"));
const child = spawn(process.execPath, [cli, "demo", ...process.argv.slice(2)], { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {}); // the demo gets the signal too, and ends by itself
child.on("exit", (code, signal) => {
  process.exitCode = code ?? (signal === null ? 0 : 1);
});
