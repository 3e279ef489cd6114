/** Not a real key, and too short to count as a secret, so nothing in the recordings is masked. */
export const KEY = "dummy";
