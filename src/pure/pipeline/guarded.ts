import { clipped, flawOf, isObject, isShallow, type JsonObject, nothing, object, oneOf, optional, text, yes } from "../base/index.ts";
import { type EventBody, role, type Stream, wellFormed } from "../events/index.ts";
import { type Agent, consumed, isConsumed, type LineTranslator, type RunContext, type Translated } from "./agent.ts";
import type { Pause, Piece } from "./speech.ts";

/** Limits the length of an error thrown by someone else's code. */
const MESSAGE_CAP = 300;

/**
 * Wraps a user-defined agent for one run, so that its answers are safe to use. If one of its functions throws or returns an invalid
 * event, the line becomes an `unknown`, and a warning reports the first failure. It gets copies of everything it could change.
 * `null` means `consumed`, so that a module need not import anything.
 */
export function guarded(agent: Agent): Agent {
  const who = agent.origin === undefined ? `The agent "${clipped(String(agent.id), 64)}"` : `The agent in ${agent.origin.path}`;
  let warned = false;
  const owed: EventBody[] = []; // a warning that could not be emitted yet

  function trouble(what: string): void {
    if (warned) return;
    warned = true;
    const message = `${who} is not reliable: ${what}. Lines it cannot read become unknown.`;
    owed.push({ type: "warning", message, code: "agent-failed", rule: "agent-failed" });
  }

  /** Undefined if it failed. */
  function attempt<T>(name: string, step: () => T): T | undefined {
    try {
      return step();
    } catch (error) {
      trouble(`its ${name}() failed: ${messageOf(error)}`);
      return undefined;
    }
  }

  /** The bodies, or undefined if any is invalid. */
  function checked(
    name: string,
    answer: unknown,
    line?: { readonly seen: JsonObject; readonly own: JsonObject },
  ): readonly Translated[] | undefined {
    if (answer === null || isConsumed(answer)) return consumed;
    if (!Array.isArray(answer)) {
      trouble(`its ${name}() did not return a list of events`);
      return undefined;
    }
    const bodies: Translated[] = [];
    for (const given of answer) {
      const body = speechOf(given) ?? wellFormed(given);
      if (typeof body === "string") {
        trouble(`${body} (${name}())`);
        return undefined;
      }
      const isLine = body.type === "unknown" && isObject(given) && given["raw"] === line?.seen;
      bodies.push(isLine ? { ...body, raw: line?.own } : body);
    }
    return bodies;
  }

  function withWarning(bodies: readonly Translated[]): readonly Translated[] {
    return owed.length === 0 ? bodies : [...bodies, ...owed.splice(0)];
  }

  function open(context: RunContext): LineTranslator {
    const view = { cwd: context.cwd, sessionName: context.sessionName, before: context.before, here: context.here, at: context.at };
    Object.defineProperty(view, "here", { get: () => ({ ...context.here }) });
    Object.defineProperty(view, "at", { get: () => context.at });
    const reader: unknown = attempt("open", () => agent.open(view));
    const own = reader as LineTranslator | undefined;

    function push(line: JsonObject, text?: string): readonly Translated[] {
      const unknown: EventBody = { type: "unknown", raw: line };
      // A value nested too deeply to be copied is left to the log's default.
      const copy = isShallow(line) ? (JSON.parse(JSON.stringify(line)) as JsonObject) : undefined;
      const answer =
        copy === undefined || own === undefined
          ? []
          : attempt("push", () => checked("push", own.push(copy, text), { seen: copy, own: line }));
      if (answer !== undefined && (answer.length > 0 || answer === consumed)) return withWarning(answer);
      return withWarning([unknown]);
    }

    function text(line: string): readonly Translated[] | undefined {
      if (typeof own?.text !== "function") return undefined;
      return attempt("text", () => {
        const answer: unknown = own.text?.(line);
        return answer === undefined ? undefined : checked("text", answer);
      });
    }

    function end(): readonly Translated[] {
      const answer = own === undefined ? nothing : attempt("end", () => checked("end", own.end() ?? []));
      return withWarning(answer ?? nothing);
    }

    return { push, text, end };
  }

  function text(line: string, stream: Stream): EventBody | undefined {
    return attempt("text", () => {
      const given: unknown = agent.text?.(line, stream);
      if (given === undefined || given === null) return undefined;
      const body = wellFormed(given);
      if (typeof body !== "string") return body;
      trouble(`${body} (text())`);
      return undefined;
    });
  }

  return { ...agent, id: agent.id, terminal: agent.terminal, withheld: undefined, open, text };
}

function messageOf(error: unknown): string {
  try {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return clipped((message.split("\n")[0] ?? "").replace(/\p{Cc}/gu, "?"), MESSAGE_CAP);
  } catch {
    return "an error that cannot be shown"; // one with a getter that throws
  }
}

const piece = object({
  type: oneOf("piece"),
  role: optional(role),
  text,
  messageId: optional(text),
  parent: optional(text),
  live: yes,
});
const pause = object({ type: oneOf("pause"), partial: yes, drop: yes });

/** A copy of text that may continue; undefined for anything else. */
function speechOf(given: unknown): Piece | Pause | undefined {
  if (!isObject(given) || (given["type"] !== "piece" && given["type"] !== "pause")) return undefined;
  const copy: unknown = JSON.parse(JSON.stringify(given));
  const shape = isObject(copy) && copy["type"] === "piece" ? piece : pause;
  return flawOf(shape, copy) === undefined && isObject(copy) && !("from" in copy) ? (copy as unknown as Piece | Pause) : undefined;
}
