#!/usr/bin/env node
// Imitates the sessions of Codex or Goose: the thread's id is $THREAD or the one to resume, and usage is counted for the whole session, in $COUNTER.
import { appendFileSync, readFileSync, writeSync } from "node:fs";

const { COUNTER, THREAD = "thread-1", IS_GOOSE } = process.env;
const args = process.argv.slice(2);
const print = (record) => writeSync(1, `${JSON.stringify(record)}\n`);
readFileSync(0);
appendFileSync(COUNTER, "x");
const turns = readFileSync(COUNTER, "utf8").length;
if (IS_GOOSE) {
  print({
    type: "message",
    message: { role: "assistant", id: `m${turns}`, content: [{ type: "text", text: "Done." }], metadata: { inference: {} } },
  });
  print({ type: "complete", total_tokens: 110 * turns, input_tokens: 100 * turns, output_tokens: 10 * turns });
} else {
  print({ type: "thread.started", thread_id: args.includes("resume") ? args[args.indexOf("resume") + 1] : THREAD });
  print({ type: "item.completed", item: { id: "item_0", type: "agent_message", text: "Done." } });
  print({ type: "turn.completed", usage: { input_tokens: 100 * turns, cached_input_tokens: 20 * turns, output_tokens: 10 * turns } });
}
