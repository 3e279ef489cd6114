import { isObject } from "../base/index.ts";
import { type Agent, eventLog, parseLine } from "../pipeline/index.ts";
import { agents } from "./agents.ts";

/** How many lines decide which agent printed them. */
export const DECIDING_LINES = 40;

/** One agent per format: OpenCode's is also Kilo's, `native`'s also `rlm`'s, `acp`'s that of every agent over ACP. */
const FORMATS: readonly Agent[] = [
  agents.claude,
  agents.codex,
  agents.pi,
  agents.opencode,
  agents.cline,
  agents.gemini,
  agents.goose,
  agents.acp,
  agents.native,
  agents.antigravity,
];

/**
 * The agent that printed these first lines: the one that understands most of them. Undefined if none understands at least half, or if two
 * understand them equally well. Lines without any JSON object are a plain command's.
 */
export function recognize(lines: readonly string[]): Agent | undefined {
  const objects = lines.slice(0, DECIDING_LINES).filter((line) => isObject(parseLine(line)));
  if (objects.length === 0) {
    const isDocument = lines.some((line) => /[[{]\s*$/.test(line)); // one document over many lines
    return isDocument || lines.every((line) => line.trim() === "") ? undefined : agents.generic;
  }
  const ranked = FORMATS.map((agent) => ({ agent, unknown: notUnderstood(agent, objects) })).sort((a, b) => a.unknown - b.unknown);
  const [best, next] = ranked;
  if (best === undefined || next === undefined || best.unknown === next.unknown) return undefined;
  return best.unknown * 2 <= objects.length ? best.agent : undefined;
}

/** The agent that the first lines look like, if the given one does not know most of them. */
export function betterAgent(given: Agent, lines: readonly string[]): Agent | undefined {
  const objects = lines.slice(0, DECIDING_LINES).filter((line) => isObject(parseLine(line)));
  const found = objects.length === 0 ? undefined : recognize(lines);
  if (found === undefined || found.open === given.open) return undefined;
  return given.plain === true || notUnderstood(given, objects) * 2 > objects.length ? found : undefined;
}

/** How many of the lines the agent does not know. */
function notUnderstood(agent: Agent, lines: readonly string[]): number {
  let unknown = 0;
  const log = eventLog(agent, { startedAt: 0 }, ({ body }) => {
    if (body.type === "unknown") unknown++;
  });
  let offset = 0;
  for (const text of lines) {
    const line = { text, offset, length: text.length, terminated: true, oversize: false };
    offset += text.length + 1;
    log.line("stdout", line, 0);
  }
  return unknown;
}
