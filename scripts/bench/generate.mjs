// Builds large inputs from small recordings; the same bytes on every machine.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { withEverydayContents } from "./contents.mjs";
import { templateOf, writtenFor } from "./template.mjs";
import { writer } from "./writer.mjs";

/** The scenarios of a long session: many turns, subagents, plans, MCP, skills, other scripts, long outputs. */
const SCENARIOS = ["full", "subagent-bg", "todo", "mcp", "skill", "unicode", "big-bash"];

/**
 * One session of at least `bytes` bytes: `init` first, `result` last, and between them the scenarios repeatedly, with new ids each
 * time. The recorded files have five lines; with `everyday`, files and outputs have the sizes of a real repository.
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
  const templates = recordings.map((lines) => templateOf(workOf(lines, session), [session]));
  const last = `${first.at(-1)}\n`;

  const out = writer(file);
  out.write(`${first[0]}\n`);
  let lines = 2;
  for (let round = 0; out.bytes() + last.length < bytes; round++) {
    const template = templates[round % templates.length];
    out.write(writtenFor(round, template));
    lines += template.count;
  }
  out.write(last);
  out.close();
  return { lines };
}

/** A session with one line of `bytes` bytes in the middle, far longer than any line that is decoded. */
export function generateLongLine(file, bytes) {
  const out = writer(file);
  out.write('{"type":"system","subtype":"init","session_id":"s","cwd":"/workspace","model":"m"}\n{"type":"user","message":{"content":"');
  const filler = "All work and no play. ".repeat(50_000);
  while (out.bytes() < bytes) out.write(filler);
  out.write('"}}\n{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"Done."}]}}\n');
  out.close();
}

/** The lines between `init` and `result`, renamed to a different session. */
function workOf(lines, session) {
  const own = JSON.parse(lines[0]).session_id;
  return lines
    .filter((line) => {
      const { type, subtype } = JSON.parse(line);
      return type !== "result" && subtype !== "init";
    })
    .map((line) => line.replaceAll(own, session));
}
