/**
 * Characters that a terminal obeys or a reader cannot see: control characters (C0 except newline and tab, DEL, C1), bidirectional and
 * zero-width formatting, invisible fillers and tags, line and paragraph separators, lone surrogates. Variation selectors stay: they only
 * choose a glyph. The joiner U+200D is escaped although it also joins emoji, because it makes two different names look alike.
 */
const HIDDEN = /(?!\n|\t|\uFE0E|\uFE0F)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Text that is safe on a terminal: hidden characters become visible escapes. Everything an agent printed passes through here. */
export function printable(text: string): string {
  return text.replace(HIDDEN, (character) => (character === "\r" ? "\\r" : `\\u{${character.codePointAt(0)?.toString(16)}}`));
}

/** JSON that is safe on a terminal: hidden characters occur only inside strings, where JSON can escape them. */
export function printableJson(json: string): string {
  return json.replace(HIDDEN, (character) => {
    let escaped = "";
    for (let i = 0; i < character.length; i++) escaped += `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`;
    return escaped;
  });
}
