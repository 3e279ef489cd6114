// Text of the Agent Client Protocol, chunk by chunk or complete.

import { fewMap } from "../../base/index.ts";
import type { Translated } from "../../pipeline/index.ts";

export type Voice = "text" | "thought" | "user";

interface Said {
  readonly voice: Voice;
  readonly messageId: string | undefined;
  text: string;
  chunks: number;
}

const MAIN = "";

/** Each thread has at most one open message. A different voice or a different message closes it. */
export function acpVoices() {
  const open = fewMap<string, Said>(); // by thread
  let lastWhole: { readonly id: string | undefined; readonly text: string } = { id: undefined, text: "" };

  function say(out: Translated[], voice: Voice, parent: string | undefined, messageId: string | undefined, text: string): void {
    if (text === "") return;
    const said = openOf(voice, parent, messageId);
    if (said === undefined) open.set(parent ?? MAIN, { voice, messageId, text, chunks: 1 });
    else {
      said.text += text;
      said.chunks++;
    }
    const live = parent === undefined && voice !== "user" ? (true as const) : undefined; // a subagent's text is shown when it is complete
    out.push({ type: "piece", role: roleOf(voice), text, messageId, parent, live });
  }

  function openOf(voice: Voice, parent: string | undefined, messageId: string | undefined): Said | undefined {
    const said = open.get(parent ?? MAIN);
    return said?.voice === voice && said.messageId === messageId ? said : undefined;
  }

  /** A complete message. It may repeat pieces that already came. */
  function sayWhole(out: Translated[], voice: Voice, parent: string | undefined, messageId: string | undefined, text: string): void {
    const said = openOf(voice, parent, messageId);
    if (said === undefined) {
      if (messageId === undefined || messageId !== lastWhole.id || text !== lastWhole.text) say(out, voice, parent, messageId, text);
    } else if (text.startsWith(said.text)) say(out, voice, parent, messageId, text.slice(said.text.length));
    else {
      said.text = text;
      out.push({ type: "pause", drop: true }, { type: "piece", role: roleOf(voice), text, messageId, parent });
    }
    lastWhole = { id: messageId, text };
  }

  return {
    say,
    sayWhole,
    /** The main thread's text broke off: what follows is not part of it. */
    cut(out: Translated[]): void {
      if (open.get(MAIN) !== undefined) out.push({ type: "pause", partial: true });
      open.delete(MAIN);
    },
    /** Whatever the thread says next is new. */
    close(parent: string | undefined): void {
      open.delete(parent ?? MAIN);
    },
    /** Removes the main thread's open text if the adapter wrote it itself: some adapters print an error and then report it. */
    takeBack(out: Translated[], isOwn: (text: string, messageId: string | undefined, chunks: number) => boolean): string | undefined {
      const said = open.get(MAIN);
      if (said?.voice !== "text" || !isOwn(said.text, said.messageId, said.chunks)) return undefined;
      open.delete(MAIN);
      out.push({ type: "pause", drop: true });
      return said.text.trim();
    },
  };
}

function roleOf(voice: Voice): "assistant" | "user" | undefined {
  return voice === "thought" ? undefined : voice === "user" ? "user" : "assistant";
}
