import { useState } from "preact/hooks";

const FEW_LINES = 14;
const FEW_CHARACTERS = 3000;

/** A text that may be very long: its beginning, and the rest for whoever wants it. */
export function LongText({ text, label }: { readonly text: string; readonly label?: string }) {
  const [isOpen, setOpen] = useState(false);
  const lines = text.split("\n", FEW_LINES + 1);
  const isLong = lines.length > FEW_LINES || text.length > FEW_CHARACTERS;
  const shown = isOpen || !isLong ? text : lines.slice(0, FEW_LINES).join("\n").slice(0, FEW_CHARACTERS);
  return (
    <div class="long-text">
      {label !== undefined && <h4>{label}</h4>}
      <pre tabIndex={0}>{visibleText(shown)}</pre>
      {isLong && (
        <button type="button" class="link" onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Show less" : `Show all ${text.length.toLocaleString("en")} characters`}
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
