#!/usr/bin/env node
// Prints like Claude Code or Codex, depending on its name, and does what the prompt says.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const who = basename(process.argv[1]);
const words = process.argv.slice(2);
const say = (value) => console.log(JSON.stringify(value));
if (words.includes("--version")) {
  const file = join(dirname(process.argv[1]), "version"); // it runs without our variables
  console.log(existsSync(file) ? readFileSync(file, "utf8") : who === "claude" ? "2.1.0 (Claude Code)" : "codex-cli 0.100.0");
  process.exit(0);
}
const prompt = readFileSync(0, "utf8") + words.join(" ");
const { FAKE_LOG, HOME = "", TMPDIR = "" } = process.env;
const note = (what) => FAKE_LOG && appendFileSync(FAKE_LOG, `${JSON.stringify({ who, what, at: Date.now() })}\n`);

const deeds = {
  async slow() {
    await pause(300);
    return "done";
  },
  async forever() {
    await pause(600_000);
    return "done";
  },
  /** Too many requests, the first time. */
  limited() {
    if (who !== "claude") return "done";
    const file = `${FAKE_LOG}.limited`;
    const count = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
    writeFileSync(file, String(count + 1));
    return count < 1 ? new Error("429 Too Many Requests") : "done";
  },
  home: () => `${HOME} ${TMPDIR} ${existsSync(join(HOME, ".claude/other.json")) ? "all" : "own"}`,
  credentials() {
    const file = join(HOME, ".claude/.credentials.json");
    const found = existsSync(file);
    if (found) writeFileSync(file, "changed by the agent");
    writeFileSync(join(HOME, ".claude.json"), "new");
    return found ? "logged in" : "logged out";
  },
  files: () => ["given.txt", "made-by-setup.txt"].map((name) => (existsSync(name) ? readFileSync(name, "utf8").trim() : "-")).join(" "),
};

note("start");
const deed = Object.keys(deeds).find((name) => prompt.includes(`do:${name}`));
const answer = deed === undefined ? "hello" : await deeds[deed]();
note("end");
const failure = answer instanceof Error ? answer.message : undefined;
if (who === "claude") {
  say({ type: "system", subtype: "init", session_id: "s1", cwd: process.cwd(), model: "m", tools: [] });
  if (failure === undefined)
    say({ type: "assistant", session_id: "s1", message: { id: "m1", role: "assistant", content: [{ type: "text", text: answer }] } });
  say({
    type: "result",
    subtype: "success",
    is_error: failure !== undefined,
    result: failure === undefined ? answer : `API Error: ${failure}`,
    session_id: "s1",
    total_cost_usd: 0.5,
    usage: { input_tokens: 5, output_tokens: 2 },
    ...(failure && { api_error_status: 429 }),
  });
} else {
  say({ type: "thread.started", thread_id: "t1" });
  say({ type: "turn.started" });
  if (failure === undefined) {
    say({ type: "item.completed", item: { id: "i1", type: "agent_message", text: answer } });
    say({ type: "turn.completed", usage: { input_tokens: 5, cached_input_tokens: 0, output_tokens: 2 } });
  } else {
    say({ type: "error", message: `exceeded retry limit, last status: ${failure}` });
    say({ type: "turn.failed", error: { message: `exceeded retry limit, last status: ${failure}` } });
  }
}
process.exitCode = failure === undefined ? 0 : 1;
