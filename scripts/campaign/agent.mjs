#!/usr/bin/env node
// An agent of the campaign, run as Claude Code. It prints what its seed says, notes every write that returned, and misbehaves.
import { spawn } from "node:child_process";
import { appendFileSync, closeSync, writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { output } from "./output.mjs";
import { chance, generator, pick } from "./random.mjs";

if (process.argv.includes("--version")) {
  console.log("2.1.325 (Claude Code)");
  process.exit(0);
}
const seed = Number(process.env.CAMPAIGN_SEED);
const random = generator(seed + 7);
if (chance(random, 0.2)) process.on("SIGTERM", () => {});
if (chance(random, 0.2)) process.on("SIGINT", () => {});
if (chance(random, 0.2))
  spawn("sleep", ["600"], { stdio: chance(random, 0.5) ? "inherit" : "ignore", detached: chance(random, 0.5) }).unref();

for (const { fd, bytes, pauseMs } of output(seed)) {
  for (let at = 0; at < bytes.length; ) at += write(fd, bytes, at);
  appendFileSync(process.env.CAMPAIGN_NOTES, `${fd} ${bytes.length}\n`);
  if (pauseMs > 0) await pause(pauseMs);
}
const ending = pick(random, ["exits", "exits", "exits", "fails", "crashes", "lingers", "closes"]);
if (ending === "crashes") process.kill(process.pid, pick(random, ["SIGKILL", "SIGSEGV", "SIGTERM"]));
if (ending === "closes") for (const fd of [1, 2]) closeSync(fd);
if (ending === "lingers" || ending === "closes") await pause(random() % 4_000);
process.exit(ending === "fails" ? random() % 256 : 0);

function write(fd, bytes, at) {
  try {
    return writeSync(fd, bytes, at);
  } catch (error) {
    if (error.code === "EAGAIN") return 0;
    process.exit(9); // no one reads on
  }
}
