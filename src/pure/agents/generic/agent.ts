// Any command: best effort, as specification 000 describes it. What names its own severity is a diagnostic, plain text is what
// the agent said, and a JSON object nobody described stays unknown.

import { firstWord, type JsonObject, nothing, objectOf, type Translator } from "../../base/index.ts";
import type { EventBody } from "../../events/index.ts";
import { type Agent, askedFor, type Command, type Task } from "../../pipeline/index.ts";
import { commandWords } from "../../shell/index.ts";

// ── state: none ─────────────────────────────────────────────────────────────────────────────────────────────────────

// ── invocation ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** The command is the user's own; the prompt goes by stdin unless its words say where it belongs. */
function command(task: Task): Command {
  const [program, ...words] = task.commandLine === undefined ? [] : (commandWords(task.commandLine) ?? [task.commandLine]);
  const args = [...words, ...(task.extraArgs ?? [])];
  const unable = ["model", "maxTurns", "maxBudgetUsd", "systemPrompt", "appendSystemPrompt", "allow", "deny", "mcp"] as const;
  const ignored = askedFor(task, ...unable, ...(task.permissions === "default" ? [] : (["permissions"] as const)));
  const asArgument = args.some((word) => word.includes(PROMPT));
  if (!asArgument) return { program, args, stdin: task.prompt, ignored };
  return { program, args: args.map((word) => word.replaceAll(PROMPT, () => task.prompt)), ignored };
}

/** Where the prompt goes in the words of a command. */
const PROMPT = "{prompt}";

// ── tool table: none ────────────────────────────────────────────────────────────────────────────────────────────────

// ── translation ─────────────────────────────────────────────────────────────────────────────────────────────────────

const SEVERITY = ["level", "severity", "type"];
const MESSAGE = ["message", "msg", "error", "text"];

function open(): Translator<JsonObject, EventBody> {
  return {
    push(line) {
      const severity = severityOf(firstWord(line, SEVERITY));
      const message = firstWord(line, MESSAGE) ?? firstWord(objectOf(line["error"]) ?? line, MESSAGE);
      if (severity === undefined || message === undefined) return [{ type: "unknown", raw: line }];
      return [{ type: severity, message }];
    },
    // ── end ─────────────────────────────────────────────────────────────────────────────────────────────────────────
    end: () => nothing,
  };
}

/** `ERROR: …`, `[warn] …`, `2026-01-01T00:00:00Z ERROR module: …`; a line that only mentions an error names no severity. */
const DIAGNOSTIC =
  /^\s*(?:\[?\d{4}-\d\d-\d\d[T ][\d:.,]+Z?\]?\s+)?[[(<]?(error|fatal|critical|panic|warn|warning)\b[\])>]?\s*(?:[:\]-]|$|(?=\s\S+:))/i;
/** In capitals the word needs no colon behind it; npm puts its name in front. */
const SHOUTED = /^\s*(?:npm\s+)?(ERROR|ERR!|FATAL|CRITICAL|PANIC|WARN|WARNING)(?=\s)/;
/** Colors around the word. */
const ANSI = /\u001b\[[\d;]*m/g;

function severityOf(word: string | undefined): "error" | "warning" | undefined {
  if (word === undefined) return undefined;
  if (/^(error|err!|fatal|critical|panic)$/i.test(word)) return "error";
  return /^warn(ing)?$/i.test(word) ? "warning" : undefined;
}

function text(line: string): EventBody {
  const message = line.endsWith("\r") ? line.slice(0, -1) : line;
  const plain = message.slice(0, 200).replace(ANSI, "");
  const severity = severityOf((DIAGNOSTIC.exec(plain) ?? SHOUTED.exec(plain))?.[1]);
  if (severity !== undefined) return { type: severity, message };
  return { type: "message", role: "assistant", text: `${message}\n`, raw: message };
}

export const generic: Agent = {
  id: "generic",
  title: "Any command",
  plain: true,
  binaries: [],
  command,
  open,
  text: (line, stream) => (stream === "stdout" ? text(line) : undefined),
};
