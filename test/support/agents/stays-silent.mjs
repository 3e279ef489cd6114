#!/usr/bin/env node
// Leaves a process that cannot be found, in its own session and without our environment. It prints one line when the file $1 exists.
import { spawn } from "node:child_process";

const wait = `const { existsSync, writeSync } = require("node:fs");
const until = Date.now() + 60000;
(function look() {
  if (existsSync(process.argv[1])) writeSync(1, "late\\n");
  else if (Date.now() < until) setTimeout(look, 10);
})();`;
const child = spawn(process.execPath, ["-e", wait, process.argv[2]], { detached: true, env: {}, stdio: ["ignore", "inherit", "ignore"] });
await new Promise((resolve) => child.on("spawn", resolve));
console.log(`left ${child.pid}`);
process.exit();
