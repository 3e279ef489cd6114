import { useMemo, useState } from "preact/hooks";
import { printable, whole } from "../../src/pure/base/index.ts";

const FEW_LINES = 14;
const FEW = 3000;
const MUCH = 100_000;

/** The start of a text that may be very long; buttons show more. */
export function LongText({ text, label }: { readonly text: string; readonly label?: string }) {
  const [limit, setLimit] = useState(0);
  const few = text.slice(0, FEW).split("\n", FEW_LINES).join("\n").length;
  const shown = useMemo(() => printable(text.slice(0, Math.max(few, limit))), [text, few, limit]);
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
