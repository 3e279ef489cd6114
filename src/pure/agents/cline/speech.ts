// Text and reasoning of Cline's agents: first in pieces, then complete.

import { type JsonObject, stringOf } from "../../base/index.ts";
import type { Translated } from "../../pipeline/index.ts";
import type { Owner } from "./threads.ts";

/** The main agent's thread. A subagent's thread has its name. */
const MAIN = "";

/** Each reader returns false for a record it cannot read. */
export function clineSpeech() {
  const thoughts = new Map<string, string>(); // by thread: what has been said of the thought whose end has not come
  const redacted = new Set<string>();
  let spoken = ""; // the main agent's unfinished message
  let attempt = 0; // number of restarts
  let unclaimed: "said" | "last" | undefined; // text whose speaker is unknown; `last` if its turn ended without a call
  let pending = 0; // such texts whose speaker has neither made a call nor ended since

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
  function textPiece(out: Translated[], event: JsonObject): boolean {
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

  function reasoningPiece(out: Translated[], event: JsonObject, who: Owner): boolean {
    const piece = stringOf(event["reasoning"]) ?? stringOf(event["text"]) ?? "";
    const thread = threadOf(who);
    if (thread === undefined) return true; // its end has the whole text
    if (event["redacted"] === true) redacted.add(thread);
    think(out, piece, thread, who);
    return true;
  }

  function think(out: Translated[], text: string, thread: string, who: Owner): void {
    thoughts.set(thread, (thoughts.get(thread) ?? "") + text);
    out.push({ type: "piece", text, parent: who.parent, live: who.isMain ? true : undefined });
  }

  function textEnd(out: Translated[], event: JsonObject, who: Owner): boolean {
    const text = stringOf(event["text"]) ?? (who.isMain ? spoken : undefined);
    if (who.isMain) {
      spoken = "";
      attempt = 0;
    }
    if (text === undefined) return false;
    if (text === "") return true;
    if (who.isMain || who.parent !== undefined) out.push({ type: "message", role: "assistant", text, parent: who.parent });
    else {
      out.push({ type: "pause" }, { type: "piece", role: "assistant", text });
      unclaimed = ++pending === 1 ? "said" : undefined;
    }
    return true;
  }

  /** The end of the turn in which the last text was said. */
  function turnEnd(event: JsonObject): void {
    unclaimed = unclaimed === "said" && event["hadToolCalls"] === false ? "last" : undefined;
  }

  /** An agent ends right after the turn of its last text, so that text is its own. */
  function agentEnd(out: Translated[], subagentId: string): void {
    if (unclaimed === "last") out.push({ type: "pause", parent: subagentId });
    fellSilent();
  }

  /** A subagent ended, or waits for its calls. */
  function fellSilent(): void {
    pending = Math.max(0, pending - 1);
    unclaimed = undefined;
  }

  /** A line that may come from another agent. */
  function disclaim(): void {
    unclaimed = undefined;
  }

  /** Follows the text that the thought led to, and repeats the thought. */
  function reasoningEnd(out: Translated[], event: JsonObject, who: Owner): boolean {
    const thread = threadOf(who);
    const known = thread === undefined ? "" : (thoughts.get(thread) ?? "");
    const text = stringOf(event["reasoning"]) ?? stringOf(event["text"]) ?? known;
    if (thread !== undefined) thoughts.delete(thread);
    const hidden = thread !== undefined && redacted.delete(thread) && text === "" ? (true as const) : undefined;
    if (text === known && !hidden) return true;
    const rest = text.startsWith(known) ? text.slice(known.length) : text;
    if (rest !== "" || hidden) out.push({ type: "reasoning", text: rest, redacted: hidden, parent: who.parent });
    return true;
  }

  return { turn, textPiece, reasoningPiece, textEnd, reasoningEnd, turnEnd, agentEnd, fellSilent, disclaim };
}

/** Undefined if the speaker is unknown. */
function threadOf({ parent, isMain }: Owner): string | undefined {
  return isMain ? MAIN : parent;
}
