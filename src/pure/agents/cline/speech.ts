// Text and reasoning of Cline's agents: first in pieces, then complete.

import { type JsonObject, stringOf } from "../../base/index.ts";
import type { EventBody, RecordRef } from "../../events/index.ts";
import type { RunContext } from "../../pipeline/index.ts";
import type { Owner } from "./threads.ts";

/** The main agent's thread. A subagent's thread has its name. */
const MAIN = "";

/** An unfinished thought, with the records of its first and last piece. */
interface Thought {
  text: string;
  readonly first: RecordRef;
  last: RecordRef;
}

/** Each reader returns false for a record it cannot read. */
export function clineSpeech(run: RunContext) {
  const thoughts = new Map<string, Thought>(); // by thread
  const emitted = new Map<string, string>(); // by thread: reasoning already emitted before its message; its own end comes later
  const redacted = new Set<string>();
  let spoken = ""; // the main agent's unfinished message
  let attempt = 0; // number of restarts

  /** A new turn: unfinished text of the last one will not be finished. */
  function turn(who: Owner): void {
    const thread = threadOf(who);
    if (thread !== undefined) thoughts.delete(thread);
    if (who.isMain && spoken !== "") restart();
  }

  function restart(): void {
    spoken = "";
    attempt++;
  }

  /** Every piece repeats all earlier ones in `accumulated`. Only its length is used. */
  function textPiece(out: EventBody[], event: JsonObject): boolean {
    const all = stringOf(event["accumulated"]);
    const own = stringOf(event["text"]);
    const piece = own ?? (all !== undefined && all.length >= spoken.length ? all.slice(spoken.length) : all);
    if (piece === undefined) return false;
    if (spoken !== "" && all !== undefined && all.length < spoken.length + piece.length) restart(); // the request was retried
    spoken = own === undefined ? (all ?? "") : spoken + own; // substrings of `all` would keep every one of them in memory
    const messageId = attempt === 0 ? undefined : `attempt-${attempt + 1}`;
    if (piece !== "") out.push({ type: "text-delta", text: piece, messageId });
    return true;
  }

  function reasoningPiece(out: EventBody[], event: JsonObject, who: Owner): boolean {
    const piece = stringOf(event["reasoning"]) ?? stringOf(event["text"]) ?? "";
    const thread = threadOf(who);
    if (thread === undefined) return true; // its end has the whole text
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
      emitted.set(thread, thought.text);
      reasoning(out, thought.text, thread, who.parent, thought.first === thought.last ? [thought.first] : [thought.first, thought.last]);
    }
    if (text !== "") out.push({ type: "message", role: "assistant", text, parent: who.parent });
    return true;
  }

  /** Follows the text that the thought led to, and repeats the thought. */
  function reasoningEnd(out: EventBody[], event: JsonObject, who: Owner): boolean {
    const thread = threadOf(who);
    const text = stringOf(event["reasoning"]) ?? stringOf(event["text"]) ?? thoughts.get(thread ?? "")?.text ?? "";
    if (thread !== undefined) {
      const before = emitted.get(thread);
      emitted.delete(thread);
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

/** Undefined if the speaker is unknown. */
function threadOf({ parent, isMain }: Owner): string | undefined {
  return isMain ? MAIN : parent;
}
