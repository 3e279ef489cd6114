// Text of the Agent Client Protocol: joins chunks until something else arrives.

import { fewMap } from "../../base/index.ts";
import type { EventBody, RecordRef } from "../../events/index.ts";
import type { RunContext } from "../../pipeline/index.ts";

export type Voice = "text" | "thought" | "user";

interface Said {
  readonly voice: Voice;
  readonly parent: string | undefined;
  readonly messageId: string | undefined;
  text: string;
  /** Every record that contributed a piece. */
  readonly from: RecordRef[];
}

const MAIN = "";

/** Each thread has at most one open message. A different voice or a different message closes it. */
export function acpVoices(run: RunContext) {
  const open = fewMap<string, Said>(); // by thread
  let lastWhole: { readonly id: string | undefined; readonly text: string } = { id: undefined, text: "" };

  function say(out: EventBody[], voice: Voice, parent: string | undefined, messageId: string | undefined, text: string): void {
    if (text === "") return;
    const said = open.get(parent ?? MAIN);
    if (said?.voice === voice && said.messageId === messageId) {
      said.text += text;
      said.from.push(run.here);
    } else {
      flush(out, parent);
      open.set(parent ?? MAIN, { voice, parent, messageId, text, from: [run.here] });
    }
    if (parent !== undefined || voice === "user") return; // only the main thread's text is shown before it is complete
    out.push({ type: voice === "text" ? "text-delta" : "reasoning-delta", text, messageId });
  }

  function flush(out: EventBody[], parent: string | undefined): void {
    const said = open.get(parent ?? MAIN);
    if (said === undefined) return;
    open.delete(parent ?? MAIN);
    const { voice, text, messageId, from } = said;
    if (voice === "thought") out.push({ type: "reasoning", text, from, parent });
    else out.push({ type: "message", role: voice === "user" ? "user" : "assistant", text, messageId, from, parent });
  }

  /** A complete message. It may repeat pieces that already came. */
  function sayWhole(out: EventBody[], voice: Voice, parent: string | undefined, messageId: string | undefined, text: string): void {
    const said = open.get(parent ?? MAIN);
    if (said?.voice !== voice || said.messageId !== messageId) {
      if (messageId === undefined || messageId !== lastWhole.id || text !== lastWhole.text) say(out, voice, parent, messageId, text);
    } else if (text.startsWith(said.text)) say(out, voice, parent, messageId, text.slice(said.text.length));
    else said.text = text;
    lastWhole = { id: messageId, text };
  }

  return {
    say,
    sayWhole,
    flush,
    flushAll(out: EventBody[]): void {
      for (const { parent } of open.values()) flush(out, parent);
    },
    /** Removes the main thread's open text if the adapter wrote it itself: some adapters print an error and then report it. */
    takeBack(isOwn: (text: string, messageId: string | undefined) => boolean): string | undefined {
      const said = open.get(MAIN);
      if (said?.voice !== "text" || !isOwn(said.text, said.messageId)) return undefined;
      open.delete(MAIN);
      return said.text.trim();
    },
  };
}
