import { useMemo, useState } from "preact/hooks";
import { whole } from "../../src/pure/base/index.ts";

const FEW_LINES = 14;
const FEW = 3000;
const MUCH = 100_000;

/** A text that may be very long: its beginning, and the rest, piece by piece, for whoever wants it. */
export function LongText({ text, label }: { readonly text: string; readonly label?: string }) {
  const [limit, setLimit] = useState(0);
  const few = text.slice(0, FEW).split("\n", FEW_LINES).join("\n").length;
  const shown = useMemo(() => visibleText(text.slice(0, Math.max(few, limit))), [text, few, limit]);
  const rest = text.length - Math.max(few, limit);
  return (
    <div class="long-text">
      {label !== undefined && <h4>{label}</h4>}
      <pre tabIndex={0}>{shown}</pre>
      {rest > 0 && (
        <button type="button" class="link" onClick={() => setLimit(Math.max(few, limit) + MUCH)}>
          {rest > MUCH ? `Show ${whole(MUCH)} more of ${whole(text.length)} characters` : `Show all ${whole(text.length)} characters`}
        </button>
      )}
      {rest <= 0 && limit > 0 && (
        <button type="button" class="link" onClick={() => setLimit(0)}>
          Show less
        </button>
      )}
    </div>
  );
}

/** What would turn the direction of the text, hide in it, or color a terminal is shown as what it is. */
export function visibleText(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
