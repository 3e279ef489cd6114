// Goose, seen in 1.52.0: `goose run --output-format stream-json -q`, and the document of `json`. Evidence: docs/reference/agents/goose.md.

import { arrayOf, isObject, isShallow, type JsonObject, numberOf, objectOf, parseJson, without, wordOf } from "../../base/index.ts";
import { anyTokens, ownCost, ownTokens, type RecordRef, type Tokens } from "../../events/index.ts";
import {
  type Agent,
  askedFor,
  type Command,
  consumed,
  type LineTranslator,
  type RunContext,
  type Task,
  type Translated,
} from "../../pipeline/index.ts";
import { gooseServers } from "../mcp.ts";
import { gooseProviders } from "../providers.ts";
import { gooseCalls } from "./calls.ts";
import { gooseDocument } from "./document.ts";
import { gooseMessages } from "./messages.ts";
import { afterInterrupt, errorMessage, type Failure, failureOf, INTERRUPTED, plainText, providerFailure } from "./own-text.ts";
import { gooseVolatile } from "./volatile.ts";

// ── invocation ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** Extensions whose tools change nothing. They leave out the shell, the only tool that reads plain text. */
const READ_ONLY = ["--no-profile", "--with-builtin", "analyze,summarize,skills"];

/** `-i -` reads the prompt from stdin: an argument is limited to 128 KiB. Without `-q` a banner precedes the JSON. */
function command(task: Task): Command {
  const args = ["run", "--output-format", "stream-json", "-q"];
  if (task.resume !== undefined) args.push("--resume", "--name", task.resume);
  else if (task.sessionName !== undefined) args.push("--name", task.sessionName);
  if (task.model !== undefined) args.push("--model", task.model);
  if (task.maxTurns !== undefined) args.push("--max-turns", String(task.maxTurns));
  if (task.appendSystemPrompt !== undefined) args.push("--system", task.appendSystemPrompt);
  if (task.permissions === "read-only") args.push(...READ_ONLY);
  // In the modes that ask, the first call would end the run, because no one can answer.
  const env = task.permissions === "full" || task.permissions === "read-only" ? { env: { GOOSE_MODE: "auto" } } : {};
  const servers = gooseServers(task.mcp ?? []);
  args.push(...(servers ?? []));
  const unable = ["maxBudgetUsd", "effort", "systemPrompt", "allow", "deny", "commandLine"] as const;
  const ignored = askedFor(task, ...unable, ...(servers === undefined ? (["mcp"] as const) : []));
  return { args: [...args, ...(task.extraArgs ?? []), "-i", "-"], stdin: task.prompt, ...env, resumes: true, ignored };
}

// ── translation ─────────────────────────────────────────────────────────────────────────────────────────────────────

function open(run: RunContext): LineTranslator {
  const calls = gooseCalls(run);
  const messages = gooseMessages(run, calls);
  const document = gooseDocument(run);
  let isTorn = false; // a message of the document is unreadable and may have reported a failure

  function push(line: JsonObject): readonly Translated[] {
    if (document.isOpen && isEmpty(line)) return text("      {}") ?? consumed; // the last element of an array in the document
    const out: Translated[] = [];
    if (!translate(out, line)) out.push({ type: "unknown", raw: withoutContents(line) });
    return given(out);
  }

  /** Returns false for a line it cannot read. */
  function translate(out: Translated[], line: JsonObject): boolean {
    switch (line["type"]) {
      case "message":
        return messages.message(out, objectOf(line["message"]));
      case "notification":
        return calls.notification(out, line);
      case "error":
        return errorLine(out, line);
      case "complete":
        return finish(out, line, true);
      case "model_change": // earlier versions
        messages.session(out, wordOf(line["model"]));
        return true;
      case undefined:
      case null:
        return wholeDocument(out, line);
      default:
        return false;
    }
  }

  /** The last line, instead of `complete`, if Goose itself notices the failure: credentials, an interrupt. */
  function errorLine(out: Translated[], line: JsonObject): boolean {
    const message = errorMessage(line);
    if (message === undefined) return false;
    messages.session(out);
    const failure = message.includes("run interrupted") ? ({ status: "canceled", reason: "interrupted" } as const) : messages.failure;
    messages.fail(out, message, undefined, failure ?? failureOf(message) ?? { status: providerFailure(message), reason: "error" });
    result(out, messages.failure, undefined);
    return true;
  }

  /**
   * `complete` claims nothing, because it follows most failures too. Its counts cover the session, including subagents and
   * earlier runs.
   */
  function finish(out: Translated[], counts: JsonObject, isGood: boolean | undefined): true {
    messages.session(out);
    const tokens = ownTokens(tokensOf(counts), run.before);
    const costUsd = ownCost(numberOf(counts["cost_usd"]), run.before);
    if (anyTokens(tokens)) out.push({ type: "usage", scope: "total", tokens, costUsd, covers: "run" }); // all zeros: nothing was measured
    result(out, messages.failure ?? (isGood === false ? { status: "failed", reason: "error" } : undefined), isGood);
    return true;
  }

  function result(out: Translated[], failure: Failure | undefined, isGood: boolean | undefined): void {
    if (failure !== undefined) out.push({ type: "result", outcome: failure.status, reason: failure.reason });
    else out.push({ type: "result", outcome: isGood ? "completed" : undefined, reason: messages.isCut ? "output_limit" : "complete" });
  }

  // the one document, and plain text ──────────────────────────────────────────

  /** The document on one line, as other programs rewrite it. */
  function wholeDocument(out: Translated[], line: JsonObject): boolean {
    const all = arrayOf(line["messages"]);
    const metadata = objectOf(line["metadata"]);
    if (all === undefined || metadata === undefined) return false;
    for (const said of all) if (!messages.message(out, objectOf(said))) out.push({ type: "unknown", raw: unreadable(said) });
    return finish(out, metadata, isGoodStatus(metadata["status"]));
  }

  /** A line that is not a JSON object: part of a document, or the answer to an interrupt followed by JSON. */
  function text(line: string): readonly Translated[] | undefined {
    const found = document.line(line);
    if (found !== undefined) return given(found.flatMap(({ key, value, from }) => fromDocument(key, value, from)));
    const rest = afterInterrupt(line);
    if (rest === undefined) return undefined;
    return [{ type: "notice", kind: "interrupted", message: INTERRUPTED, raw: INTERRUPTED }, ...afterAnswer(rest)];
  }

  function fromDocument(key: string, value: unknown, from: readonly RecordRef[]): readonly Translated[] {
    const out: Translated[] = [];
    const found = objectOf(value);
    if (key === "metadata" && found !== undefined) finish(out, found, isTorn ? undefined : isGoodStatus(found["status"]));
    else if (key !== "messages") out.push({ type: "unknown", raw: { [key]: value } });
    else if (!messages.message(out, found)) {
      isTorn = true;
      out.push({ type: "unknown", raw: unreadable(value) });
    } else out.push({ type: "pause" }); // a message is complete here
    return out.map((body) => (body.type === "pause" ? body : { ...body, from }));
  }

  /** The JSON after the answer to an interrupt, on the same line: an event, or the first line of a document. */
  function afterAnswer(rest: string): readonly Translated[] {
    const value = objectOf(parsed(rest));
    if (value !== undefined) return push(value);
    return rest === "" ? [] : (text(rest) ?? [{ type: "unknown", raw: rest }]);
  }

  // ── end ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  function end(): readonly Translated[] {
    return document.end();
  }

  return { push, text, end };
}

/** `input_tokens` includes the cached tokens. Reasoning is never separate from the output. */
export function tokensOf(counts: JsonObject): Tokens {
  const cacheRead = numberOf(counts["cache_read_input_tokens"]) ?? null;
  const cacheWrite = numberOf(counts["cache_write_input_tokens"]) ?? null;
  const input = numberOf(counts["input_tokens"]);
  return {
    input: input === undefined ? null : Math.max(0, input - (cacheRead ?? 0) - (cacheWrite ?? 0)),
    cacheRead,
    cacheWrite,
    output: numberOf(counts["output_tokens"]) ?? null,
    reasoning: null,
  };
}

/** The document's `status` says `completed` after most failures too. */
function isGoodStatus(status: unknown): boolean | undefined {
  if (status === undefined || status === "completed") return true;
  return status === "error" || status === "failed" ? false : undefined;
}

/** An unreadable message without its content, which holds results and file text. */
function unreadable(said: unknown): unknown {
  return isObject(said) ? without(said, ["content"]) : said;
}

function withoutContents(line: JsonObject): JsonObject {
  if (isObject(line["message"])) return { ...line, message: unreadable(line["message"]) };
  return line["messages"] === undefined ? line : without(line, ["messages"]);
}

function isEmpty(object: JsonObject): boolean {
  return Object.keys(object).length === 0;
}

function given(bodies: readonly Translated[]): readonly Translated[] {
  return bodies.length === 0 ? consumed : bodies;
}

function parsed(text: string): unknown {
  try {
    const value: unknown = parseJson(text);
    return isShallow(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export const goose: Agent = {
  id: "goose",
  title: "Goose",
  aliases: ["block-goose", "codename-goose"],
  binaries: ["goose", "goose-binary-linux-x64"],
  install: "npm install -g @aaif/goose-binary-linux-x64",
  skillFolder: ".agents/skills",
  credentials: ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY", "OPENROUTER_API_KEY", "DATABRICKS_TOKEN", "GROQ_API_KEY"],
  credentialFiles: [".config/goose/config.yaml", ".config/goose/secrets.yaml"],
  sessionFolders: [".local/share/goose/sessions"],
  providers: gooseProviders,
  volatile: gooseVolatile,
  needs: {
    login: "Run goose configure, or set GOOSE_PROVIDER and its key",
    otherLogins: ["GOOSE_PROVIDER", "*_API_KEY"],
    moved: { XDG_CONFIG_HOME: ".config" },
  },
  seen: "1.52.0",
  terminal: true,
  withheld: [{ says: /^(-?\d+: )?Tool '[^']*' was not advertised /, tools: ["write", "edit", "text_editor", "shell"] }],
  command,
  open,
  text: plainText,
};
