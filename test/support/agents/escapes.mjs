#!/usr/bin/env node
// Leaves a process in its own session, which has left another one in a further session, and exits.
import { spawn } from "node:child_process";

const sleeping = "setTimeout(() => {}, 300_000)";
const leaving = `require("node:child_process").spawn(process.execPath, ["-e", "${sleeping}"], { detached: true, stdio: "inherit" }); ${sleeping}`;
const child = spawn(process.execPath, ["-e", `${leaving}; process.send("left")`], {
  detached: true,
  stdio: ["ignore", "inherit", "inherit", "ipc"],
});
await new Promise((resolve) => child.on("message", resolve));
console.log("result");
process.exit();
