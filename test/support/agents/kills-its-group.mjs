#!/usr/bin/env node
// Leaves a process in its own session, and kills everything in its process group.
import { spawn } from "node:child_process";

const child = spawn("sleep", ["300"], { detached: true, stdio: "ignore" });
await new Promise((resolve) => child.on("spawn", resolve));
process.kill(0, "SIGKILL");
