#!/usr/bin/env node
// Plays a script: pieces of bytes for stdout and stderr, each after a pause, then an exit code or a signal.
import { readFileSync, writeSync } from "node:fs";

const { pieces, exitCode, signal } = JSON.parse(readFileSync(process.env["SCRIPT"], "utf8"));
for (const { fd, base64, pauseMs } of pieces) {
  if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  const bytes = Buffer.from(base64, "base64");
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
}
if (signal) process.kill(process.pid, signal);
process.exitCode = exitCode ?? 0;
