const [OPEN, CLOSE] = ["<think>", "</think>"];

interface Piece {
  readonly type: "text" | "reasoning";
  readonly text: string;
}

/**
 * Some local models write their thoughts into the answer, between `<think>` and `</think>` at its beginning. Splits an answer that comes in
 * pieces; a tag anywhere else stays text.
 */
export function thinkTags() {
  let state: "start" | "thinking" | "gap" | "text" = "start";
  let held = "";

  function push(text: string): readonly Piece[] {
    if (state === "text") return [{ type: "text", text }];
    if (state === "gap") return [{ type: "text", text: afterGap(text) }];
    held += text;
    if (state === "start") {
      const begun = held.trimStart();
      if (begun.length < OPEN.length && OPEN.startsWith(begun)) return [];
      if (!begun.startsWith(OPEN)) return [{ type: "text", text: rest() }];
      state = "thinking";
      held = begun.slice(OPEN.length);
    }
    const end = held.indexOf(CLOSE);
    if (end === -1) {
      const sure = held.slice(0, held.length - overlap(held));
      held = held.slice(sure.length);
      return [{ type: "reasoning", text: sure }];
    }
    const thought = held.slice(0, end);
    const said = afterGap(held.slice(end + CLOSE.length));
    held = "";
    return [
      { type: "reasoning", text: thought },
      { type: "text", text: said },
    ];
  }

  /** The empty lines between the thoughts and the answer belong to neither. */
  function afterGap(text: string): string {
    const said = text.trimStart();
    state = said === "" ? "gap" : "text";
    return said;
  }

  function rest(): string {
    const all = held;
    held = "";
    state = "text";
    return all;
  }

  return {
    push,
    /** What was held back when the answer ended. */
    end: (): Piece => ({ type: state === "thinking" ? "reasoning" : "text", text: rest() }),
  };
}

/** How many characters at the end may be the beginning of the closing tag. */
function overlap(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length--) if (CLOSE.startsWith(text.slice(-length))) return length;
  return 0;
}
