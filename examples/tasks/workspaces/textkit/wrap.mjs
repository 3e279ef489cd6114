/** The text in lines of at most `width` characters, broken between words. */
export function wrap(text, width) {
  throw new Error(`not written yet: ${width} ${text.length}`);
}
