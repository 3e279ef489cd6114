import { fewMap, nothing } from "../base/index.ts";
import type { RecordRef } from "../events/index.ts";

export interface JoinedText {
  readonly messageId: string | undefined;
  text: string;
  /** Every record a piece of it came from. */
  readonly from: RecordRef[];
}

/** Pieces of text that belong to one message but arrive in several records, kept per thread until somebody takes them. */
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
    /** What a thread has said so far, which is then forgotten. */
    take(thread: string): JoinedText | undefined {
      const joined = open.get(thread);
      if (joined !== undefined) open.delete(thread);
      return joined;
    },
    /** The message a thread is in the middle of, if any. */
    isOpen: (thread: string, messageId: string | undefined) => messageId !== undefined && open.get(thread)?.messageId === messageId,
    threads: (): readonly string[] => (open.size() === 0 ? nothing : open.keys()),
  };
}
