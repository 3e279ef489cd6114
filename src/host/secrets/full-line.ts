/** The fewest signs that a line of base64 or hex has if the next line continues it: `xxd -p` breaks lines at 60, openssl at 64, base64 at 76. */
export const FULL_LINE = 60;

/** What a byte has in a table of signs if it is none. */
export const NO_SIGN = 64;

const RETURN = 0x0d;

/** The value of each letter in base64 and base64url. */
export const SIGNS = signTable("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
SIGNS[0x2d] = 62; // base64url
SIGNS[0x5f] = 63;
/** Whether the line that this newline ends may continue in the next one. */
export function isFullLine(bytes: Uint8Array, newline: number): boolean {
  const last = bytes[newline - 1] === RETURN ? newline - 1 : newline;
  if (last < FULL_LINE) return false;
  for (let i = last - FULL_LINE; i < last; i++) if (SIGNS[bytes[i] ?? 0] === NO_SIGN) return false;
  return true;
}

export function signTable(letters: string): Uint8Array {
  const values = new Uint8Array(256).fill(NO_SIGN);
  for (const [value, letter] of Array.from(letters).entries()) values[letter.charCodeAt(0)] = value;
  return values;
}
