/** Breaks a text between words into lines of at most `width` characters. */
export function wrap(text, width) {
  throw new Error(`not written yet: ${width} ${text.length}`);
}
