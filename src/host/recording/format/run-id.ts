import { randomBytes } from "node:crypto";

/** Base 32 without the letters that look like digits or like each other. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const RANDOM = 6;

/** For example `20261115-072930-4f3a9c`: the time in UTC, so that names sort by age, and 30 random bits. */
export function newRunId(startedAt: Date): string {
  const moment = startedAt.toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "-");
  const random = Array.from(randomBytes(RANDOM), (byte) => ALPHABET.charAt(byte % ALPHABET.length));
  return `${moment}-${random.join("")}`;
}

/** Whether the text can name a run. Only then may it become part of a path. */
export function isRunId(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/.test(text);
}
