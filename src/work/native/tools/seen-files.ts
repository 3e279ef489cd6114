import { createHash } from "node:crypto";

/** What a model knows of files: the contents that it has read or written, by place. */
export interface SeenFiles {
  note(place: string, bytes: Buffer): void;
  /** Whether the model knows these contents; `changed` if it knows others. */
  knows(place: string, bytes: Buffer): "yes" | "changed" | "no";
}

export function seenFiles(): SeenFiles {
  const known = new Map<string, string>();
  return {
    note: (place, bytes) => void known.set(place, hashOf(bytes)),
    knows(place, bytes) {
      const hash = known.get(place);
      return hash === undefined ? "no" : hash === hashOf(bytes) ? "yes" : "changed";
    },
  };
}

function hashOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("base64");
}
