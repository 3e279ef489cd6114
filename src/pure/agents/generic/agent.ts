// Any command, best effort, as specification 000 describes it. A line that names its severity is a diagnostic. Any other line is text, also
// if it happens to be JSON: an answer may be one.

import { firstWord, type JsonObject, nothing, objectOf } from "../../base/index.ts";
import type { EventBody } from "../../events/index.ts";
import { type Agent, askedFor, type Command, type LineTranslator, parseLine, type Task } from "../../pipeline/index.ts";
import { commandArgv } from "../../shell/index.ts";

// ── state: none ─────────────────────────────────────────────────────────────────────────────────────────────────────

// ── invocation ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** The user's own command. The prompt goes to stdin unless an argument contains `{prompt}`. */
function command(task: Task): Command {
  const [program, ...given] = task.commandLine === undefined ? [] : (commandArgv(task.commandLine) ?? [task.commandLine]);
  const args = [...given, ...(task.extraArgs ?? [])];
  const unable = ["model", "maxTurns", "maxBudgetUsd", "effort", "systemPrompt", "appendSystemPrompt", "allow", "deny", "mcp"] as const;
  const ignored = askedFor(task, ...unable, ...(task.permissions === "default" ? [] : (["permissions"] as const)));
  const asArgument = args.some((word) => word.includes(PROMPT));
  if (!asArgument) return { program, args, stdin: task.prompt, ignored };
  return { program, args: args.map((word) => word.replaceAll(PROMPT, () => task.prompt)), ignored };
}

/** More blank lines than these say no more. */
const MOST_BLANK = 100;

/** Replaced by the prompt in the arguments of a command. */
const PROMPT = "{prompt}";

// ── tool table: none ────────────────────────────────────────────────────────────────────────────────────────────────

// ── translation ─────────────────────────────────────────────────────────────────────────────────────────────────────

const SEVERITY = ["level", "severity", "type"];
/** Severities of log lines that report nothing wrong. */
const LOGGED = /^(trace|debug|verbose|info|notice)$/i;
const MESSAGE = ["message", "msg", "error", "text"];

function open(): LineTranslator {
  let blank = 0; // blank lines since the last text: they belong to the text that follows
  let hasText = false;

  function said(line: string, raw: unknown): EventBody {
    const gap = hasText ? "\n".repeat(blank) : "";
    blank = 0;
    hasText = true;
    return { type: "message", role: "assistant", text: `${gap}${line}\n`, raw };
  }

  return {
    push(line, text = JSON.stringify(line)) {
      const isLogged = LOGGED.test(firstWord(line, SEVERITY) ?? "");
      return [logLine(line) ?? (isLogged ? { type: "unknown", raw: line } : said(text.endsWith("\r") ? text.slice(0, -1) : text, line))];
    },
    text(line) {
      const value = parseLine(line);
      if (line.trim() !== "") return [diagnosticOf(line) ?? said(line, value === undefined ? line : value)];
      if (blank < MOST_BLANK) blank++;
      return nothing;
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

/** A JSON object that names its severity; undefined for any other. */
export function logLine(line: JsonObject): EventBody | undefined {
  const severity = severityOf(firstWord(line, SEVERITY));
  if (severity === undefined) return undefined;
  const message = firstWord(line, MESSAGE) ?? firstWord(objectOf(line["error"]) ?? line, MESSAGE) ?? JSON.stringify(line);
  return { type: severity, message };
}

function diagnosticOf(line: string): EventBody | undefined {
  const plain = line.slice(0, 200).replace(ANSI, "");
  const severity = severityOf((DIAGNOSTIC.exec(plain) ?? SHOUTED.exec(plain))?.[1]);
  return severity === undefined ? undefined : { type: severity, message: line };
}

/** Text without a format: a diagnostic, or a message whose line has no other type in the activity view. */
export function plainText(line: string): EventBody {
  return diagnosticOf(line) ?? { type: "message", role: "assistant", text: `${line}\n`, raw: line };
}

export const generic: Agent = {
  id: "generic",
  title: "Any command",
  plain: true,
  binaries: [],
  command,
  open,
};
