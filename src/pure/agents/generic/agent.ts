// Any command, best effort, as specification 000 describes it. A line that names its severity is a diagnostic, plain text is a message, and
// a JSON object of unknown shape stays unknown.

import { firstWord, nothing, objectOf } from "../../base/index.ts";
import type { EventBody } from "../../events/index.ts";
import { type Agent, askedFor, type Command, type LineTranslator, type Task } from "../../pipeline/index.ts";
import { commandArgv } from "../../shell/index.ts";

// ── state: none ─────────────────────────────────────────────────────────────────────────────────────────────────────

// ── invocation ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** The user's own command. The prompt goes to stdin unless an argument contains `{prompt}`. */
function command(task: Task): Command {
  const [program, ...given] = task.commandLine === undefined ? [] : (commandArgv(task.commandLine) ?? [task.commandLine]);
  const args = [...given, ...(task.extraArgs ?? [])];
  const unable = ["model", "maxTurns", "maxBudgetUsd", "systemPrompt", "appendSystemPrompt", "allow", "deny", "mcp"] as const;
  const ignored = askedFor(task, ...unable, ...(task.permissions === "default" ? [] : (["permissions"] as const)));
  const asArgument = args.some((word) => word.includes(PROMPT));
  if (!asArgument) return { program, args, stdin: task.prompt, ignored };
  return { program, args: args.map((word) => word.replaceAll(PROMPT, () => task.prompt)), ignored };
}

/** Replaced by the prompt in the arguments of a command. */
const PROMPT = "{prompt}";

// ── tool table: none ────────────────────────────────────────────────────────────────────────────────────────────────

// ── translation ─────────────────────────────────────────────────────────────────────────────────────────────────────

const SEVERITY = ["level", "severity", "type"];
const MESSAGE = ["message", "msg", "error", "text"];

function open(): LineTranslator {
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

/** `ERROR: …`, `[warn] …`, `2026-01-01T00:00:00Z ERROR module: …`. A line that only mentions an error does not match. */
const DIAGNOSTIC =
  /^\s*(?:\[?\d{4}-\d\d-\d\d[T ][\d:.,]+Z?\]?\s+)?[[(<]?(error|fatal|critical|panic|warn|warning)\b[\])>]?\s*(?:[:\]-]|$|(?=\s\S+:))/i;
/** In capitals the severity needs no colon; npm puts its name in front. */
const SHOUTED = /^\s*(?:npm\s+)?(ERROR|ERR!|FATAL|CRITICAL|PANIC|WARN|WARNING)(?=\s)/;
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
