import { fewMap, nothing } from "../base/index.ts";
import type { RecordRef } from "../events/index.ts";

export interface JoinedText {
  readonly messageId: string | undefined;
  text: string;
  /** Every record that contributed a piece. */
  readonly from: RecordRef[];
}

/** Joins the pieces of a message that arrive in several records. Each thread keeps its text until `take`. */
export function textJoiner() {
  const open = fewMap<string, JoinedText>();

  return {
    add(thread: string, messageId: string | undefined, text: string, here: RecordRef): void {
      const joined = open.get(thread);
      if (joined === undefined) {
        open.set(thread, { messageId, text, from: [here] });
        return;
      }
      joined.text += text;
      if (joined.from.at(-1) !== here) joined.from.push(here);
    },
    /** Returns and forgets the text of a thread. */
    take(thread: string): JoinedText | undefined {
      const joined = open.get(thread);
      if (joined !== undefined) open.delete(thread);
      return joined;
    },
    /** Whether the thread is in the middle of this message. */
    isOpen: (thread: string, messageId: string | undefined) => messageId !== undefined && open.get(thread)?.messageId === messageId,
    threads: (): readonly string[] => (open.size() === 0 ? nothing : open.keys()),
  };
}
