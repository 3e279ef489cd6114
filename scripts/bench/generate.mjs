// Large inputs made of small recordings: the same bytes on every machine.
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { withEverydayContents } from "./contents.mjs";

/** What a long session is made of: many turns, subagents, plans, MCP, skills, other scripts, long outputs. */
const SCENARIOS = ["full", "subagent-bg", "todo", "mcp", "skill", "unicode", "big-bash"];

/** Keys whose values name something that exists once. */
const ID_KEYS = new Set(["id", "tool_use_id", "parent_tool_use_id", "uuid", "task_id", "agent_id", "agentId", "run_id", "request_id"]);

const BATCH = 1_000_000;

/**
 * One session of at least `bytes` bytes: `init` first, `result` last, between them the scenarios over and over, with new
 * ids each time. The recorded workspace holds files of five lines; with `everyday` files and outputs have sizes as in a
 * repository people work in.
 */
export function generateStream(fixtures, file, bytes, { everyday }) {
  const recordings = SCENARIOS.map((scenario) => {
    const lines = readFileSync(join(fixtures, scenario, "raw.jsonl"), "utf8")
      .trim()
      .split("\n");
    return everyday ? lines.map(withEverydayContents) : lines;
  });
  const first = recordings[0];
  const session = JSON.parse(first[0]).session_id;
  const templates = recordings.map((lines) => templateOf(lines, session));
  const last = `${first.at(-1)}\n`;

  const out = writer(file);
  out.write(`${first[0]}\n`);
  let lines = 2;
  for (let round = 0; out.bytes() + last.length < bytes; round++) {
    const { pieces, count } = templates[round % templates.length];
    out.write(pieces.join(`x${round.toString(36).padStart(6, "0")}`));
    lines += count;
  }
  out.write(last);
  out.close();
  return { lines };
}

/** A session with one line of `bytes` bytes in the middle, far over what is ever decoded. */
export function generateLongLine(file, bytes) {
  const out = writer(file);
  out.write('{"type":"system","subtype":"init","session_id":"s","cwd":"/workspace","model":"m"}\n{"type":"user","message":{"content":"');
  const filler = "All work and no play. ".repeat(BATCH / 20);
  while (out.bytes() < bytes) out.write(filler);
  out.write('"}}\n{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"Done."}]}}\n');
  out.close();
}

/** The lines of one recording, cut behind every id, so that a new suffix between the pieces gives every id a new name. */
function templateOf(lines, session) {
  const kept = lines.filter((line) => {
    const { type, subtype } = JSON.parse(line);
    return type !== "result" && subtype !== "init";
  });
  const own = JSON.parse(lines[0]).session_id;
  const ids = idsOf(kept.map((line) => JSON.parse(line)));
  ids.delete(own);
  const text = `${kept.join("\n")}\n`.replaceAll(own, session);
  const longestFirst = [...ids].sort((a, b) => b.length - a.length);
  return { pieces: text.split(new RegExp(`(?<=${longestFirst.join("|")})`)), count: kept.length };
}

function idsOf(value, ids = new Set()) {
  if (typeof value !== "object" || value === null) return ids;
  for (const [key, child] of Object.entries(value)) {
    if (typeof child === "string" && ID_KEYS.has(key) && /^[\w-]{8,}$/.test(child)) ids.add(child);
    else idsOf(child, ids);
  }
  return ids;
}

/** Writes in large pieces. */
function writer(file) {
  const handle = openSync(file, "w");
  let pending = [];
  let waiting = 0;
  let written = 0;
  const flush = () => {
    if (waiting > 0) writeSync(handle, Buffer.concat(pending));
    pending = [];
    waiting = 0;
  };
  return {
    write(text) {
      const bytes = Buffer.from(text);
      pending.push(bytes);
      waiting += bytes.length;
      written += bytes.length;
      if (waiting >= BATCH) flush();
    },
    bytes: () => written,
    close() {
      flush();
      closeSync(handle);
    },
  };
}
