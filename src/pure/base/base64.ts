const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Standard base64 of a byte range; the pure core has neither `Buffer` nor `btoa`. */
export function base64(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let i = start; i < end; i += 3) {
    const left = end - i;
    const word = ((bytes[i] ?? 0) << 16) | ((left > 1 ? (bytes[i + 1] ?? 0) : 0) << 8) | (left > 2 ? (bytes[i + 2] ?? 0) : 0);
    text += ALPHABET.charAt(word >> 18) + ALPHABET.charAt((word >> 12) & 63);
    text += left > 1 ? ALPHABET.charAt((word >> 6) & 63) : "=";
    text += left > 2 ? ALPHABET.charAt(word & 63) : "=";
  }
  return text;
}
