#!/usr/bin/env node
// Leaves a process that cannot be found, in its own session and without our environment. It keeps writing until the file $1 exists.
import { spawn } from "node:child_process";

const flood = `const { existsSync, writeSync } = require("node:fs");
const until = Date.now() + 60000;
(function more() {
  writeSync(1, ("more ".repeat(200) + "\\n").repeat(20));
  if (Date.now() < until && !existsSync(process.argv[1])) setTimeout(more, 1);
})();`;
const child = spawn(process.execPath, ["-e", flood, process.argv[2]], { detached: true, env: {}, stdio: ["ignore", "inherit", "ignore"] });
await new Promise((resolve) => child.on("spawn", resolve));
await new Promise((resolve) => setTimeout(resolve, 300)); // it has begun to write
console.log("result");
process.exit();
