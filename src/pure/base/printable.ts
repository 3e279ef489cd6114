/**
 * What a terminal would obey, or a reader could not see: control characters (C0 but newline and tab, DEL, C1), bidirectional
 * and zero-width formatting, invisible fillers and tags, line and paragraph separators, lone surrogates. The variation
 * selectors that make an emoji an emoji stay; they choose a glyph and nothing else. The joiner U+200D is shown although it
 * also glues emoji together, because it makes two different names look like one.
 */
const HIDDEN = /(?!\n|\t|\uFE0E|\uFE0F)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Text that is safe on a terminal: what is hidden becomes a visible escape. All that an agent printed passes through here. */
export function printable(text: string): string {
  return text.replace(HIDDEN, (character) => (character === "\r" ? "\\r" : `\\u{${character.codePointAt(0)?.toString(16)}}`));
}

/** The same JSON, safe on a terminal: such characters only occur inside strings, where JSON has an escape for them. */
export function printableJson(json: string): string {
  return json.replace(HIDDEN, (character) => {
    let escaped = "";
    for (let i = 0; i < character.length; i++) escaped += `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`;
    return escaped;
  });
}
