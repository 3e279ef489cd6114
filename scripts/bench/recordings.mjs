// Turns each agent's largest recording into one long session.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { idsOf, templateOf, writtenFor } from "./template.mjs";
import { writer } from "./writer.mjs";

/** Measured in addition to an agent's largest recording: its other dialects, and a stream of short lines if the largest is one long output. */
const ALSO = {
  acp: ["kilo-full"],
  cline: ["full", "legacy-full"],
  codex: ["full"],
  kilo: ["full-rg"],
  opencode: ["full-rg"],
  pi: ["full-rg-fd-new"],
};

/** The lines that open and end a session. All others repeat. */
const OPENS = {
  acp: ({ result, method, params }) =>
    result !== undefined || method !== "session/update" || params.update.sessionUpdate.endsWith("_commands_update"),
  antigravity: ({ event }) => event === "init",
  claude: ({ subtype }) => subtype === "init",
  cline: ({ hookEventName, type, say }) => hookEventName === "agent_start" || type === "task_started" || say === "task",
  codex: ({ type }) => type === "thread.started" || type === "turn.started",
  gemini: ({ type }) => type === "init",
  pi: ({ type }) => type === "session" || type === "agent_start",
};
const ENDS = {
  acp: ({ result }) => result !== undefined,
  antigravity: ({ event }) => event === "result",
  claude: ({ type }) => type === "result",
  cline: ({ type, event, say, hookEventName }) =>
    type.startsWith("run_") || event?.type === "done" || say === "completion_result" || hookEventName?.startsWith("agent_e"),
  codex: ({ type }) => type === "turn.completed",
  gemini: ({ type }) => type === "result",
  generic: ({ type }) => type === "complete",
  goose: ({ type }) => type === "complete",
  pi: ({ type }) => type === "agent_end" || type === "agent_settled",
};

/** Per agent the recordings to measure: `{ agent, scenario, lines }`. */
export function recordings(fixtures) {
  return foldersIn(fixtures)
    .sort()
    .flatMap((agent) => {
      const all = foldersIn(join(fixtures, agent)).map((scenario) => ({
        agent,
        scenario,
        lines: linesOf(join(fixtures, agent, scenario)),
      }));
      const [largest] = all.sort((a, b) => sizeOf(b) - sizeOf(a));
      return [largest, ...all.filter(({ scenario }) => ALSO[agent]?.includes(scenario))];
    });
}

function foldersIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []));
}

/** Only lines that a bare loop can parse: no banner, no document over several lines. */
function linesOf(folder) {
  const lines = readFileSync(join(folder, "raw.jsonl"), "utf8").split("\n");
  return lines.filter((line) => line.startsWith("{") && isJson(line));
}

function isJson(line) {
  try {
    return JSON.parse(line) !== null;
  } catch {
    return false;
  }
}

function sizeOf({ lines }) {
  return lines.reduce((sum, line) => sum + line.length, 0);
}

/** One session of at least `bytes` bytes: its opening, its work repeatedly with new ids, its end. */
export function generateSession({ agent, lines }, file, bytes) {
  const records = lines.map((line) => JSON.parse(line));
  const isOther = (is) => (record) => is?.(record) !== true;
  const first = Math.max(0, records.findIndex(isOther(OPENS[agent])));
  const end = records.findLastIndex(isOther(ENDS[agent])) + 1;
  const work = templateOf(lines.slice(first, end), sessionIds(records, first));
  const last = lines
    .slice(end)
    .map((line) => `${line}\n`)
    .join("");

  const out = writer(file);
  for (const line of lines.slice(0, first)) out.write(`${line}\n`);
  let rounds = 0;
  while (out.bytes() + last.length < bytes) out.write(writtenFor(rounds++, work));
  out.write(last);
  out.close();
  return { lines: lines.length - work.count + rounds * work.count };
}

/** The ids that stay the same: those in the opening, and the session id of every line. */
function sessionIds(records, first) {
  const ids = idsOf(records.slice(0, first));
  for (const key of ["sessionID", "session_id", "conversation_id"]) ids.add(records[first]?.[key]);
  return ids;
}
