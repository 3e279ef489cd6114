// What Cline's agents say and think: pieces, then the whole again. Part of cline.ts.

import { type JsonObject, stringOf } from "../../base/index.ts";
import type { EventBody, RecordRef } from "../../events/index.ts";
import type { RunContext } from "../../pipeline/index.ts";
import type { Owner } from "./threads.ts";

/** The thread of the main agent; a subagent's is named after it. */
const MAIN = "";

/** A thought in the making, with the records of its first and its last piece. */
interface Thought {
  text: string;
  readonly first: RecordRef;
  last: RecordRef;
}

/** Each reader answers false for a record it cannot read. */
export function clineSpeech(run: RunContext) {
  const thoughts = new Map<string, Thought>(); // by thread
  const told = new Map<string, string>(); // thoughts told with the message they led to, by thread: their own end comes after it
  const redacted = new Set<string>();
  let spoken = ""; // what the main agent has said of a message that is not complete
  let attempt = 0; // how often it has begun anew

  /** A new turn: what was left unfinished in the one before will not be finished. */
  function turn(who: Owner): void {
    const thread = threadOf(who);
    if (thread !== undefined) thoughts.delete(thread);
    if (who.isMain && spoken !== "") beginAnew();
  }

  function beginAnew(): void {
    spoken = "";
    attempt++;
  }

  /** Every piece repeats all that came before it, in `accumulated`: only its length is looked at. */
  function textPiece(out: EventBody[], event: JsonObject): boolean {
    const all = stringOf(event["accumulated"]);
    const own = stringOf(event["text"]);
    const piece = own ?? (all !== undefined && all.length >= spoken.length ? all.slice(spoken.length) : all);
    if (piece === undefined) return false;
    if (spoken !== "" && all !== undefined && all.length < spoken.length + piece.length) beginAnew(); // the request was repeated
    spoken = own === undefined ? (all ?? "") : spoken + own; // pieces cut out of `all` would keep each of them alive
    const messageId = attempt === 0 ? undefined : `attempt-${attempt + 1}`;
    if (piece !== "") out.push({ type: "text-delta", text: piece, messageId });
    return true;
  }

  function reasoningPiece(out: EventBody[], event: JsonObject, who: Owner): boolean {
    const piece = stringOf(event["reasoning"]) ?? stringOf(event["text"]) ?? "";
    const thread = threadOf(who);
    if (thread === undefined) return true; // its end has all of it
    if (event["redacted"] === true) redacted.add(thread);
    const thought = thoughts.get(thread);
    if (thought === undefined) thoughts.set(thread, { text: piece, first: run.here, last: run.here });
    else {
      thought.text += piece;
      thought.last = run.here;
    }
    if (who.isMain && piece !== "") out.push({ type: "reasoning-delta", text: piece });
    return true;
  }

  function textEnd(out: EventBody[], event: JsonObject, who: Owner): boolean {
    const text = stringOf(event["text"]) ?? (who.isMain ? spoken : undefined);
    if (who.isMain) {
      spoken = "";
      attempt = 0;
    }
    if (text === undefined) return false;
    const thread = threadOf(who);
    const thought = thread === undefined ? undefined : thoughts.get(thread);
    if (thread !== undefined && thought !== undefined) {
      thoughts.delete(thread);
      told.set(thread, thought.text);
      reasoning(out, thought.text, thread, who.parent, thought.first === thought.last ? [thought.first] : [thought.first, thought.last]);
    }
    if (text !== "") out.push({ type: "message", role: "assistant", text, parent: who.parent });
    return true;
  }

  /** It comes after the text that the thought led to, and says again what was told before that. */
  function reasoningEnd(out: EventBody[], event: JsonObject, who: Owner): boolean {
    const thread = threadOf(who);
    const text = stringOf(event["reasoning"]) ?? stringOf(event["text"]) ?? thoughts.get(thread ?? "")?.text ?? "";
    if (thread !== undefined) {
      const before = told.get(thread);
      told.delete(thread);
      thoughts.delete(thread);
      if (before === text) return true;
    }
    reasoning(out, text, thread, who.parent);
    return true;
  }

  function reasoning(out: EventBody[], text: string, thread: string | undefined, parent: string | undefined, from?: RecordRef[]): void {
    const hidden = thread !== undefined && redacted.delete(thread) && text === "" ? (true as const) : undefined;
    if (text !== "" || hidden) out.push({ type: "reasoning", text, redacted: hidden, parent, from });
  }

  return { turn, textPiece, reasoningPiece, textEnd, reasoningEnd };
}

/** Undefined where nobody can say whose it is. */
function threadOf({ parent, isMain }: Owner): string | undefined {
  return isMain ? MAIN : parent;
}
