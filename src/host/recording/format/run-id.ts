import { randomBytes } from "node:crypto";

/** Base 32 without the letters that look like digits or like each other. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const RANDOM = 6;

/** For example `20261115-072930-4f3a9c`: the time in UTC, so that names sort by age, and 30 random bits or a given name. */
export function newRunId(startedAt: Date, name: string = randomName()): string {
  return `${secondOf(startedAt)}-${name}`;
}

function randomName(): string {
  return Array.from(randomBytes(RANDOM), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join("");
}

/** The ids that a caller may choose. Ids sort by age, so one without its time would become, or hide, the `last` run. */
export const ID_FORM = "the start time in UTC as YYYYMMDD-HHMMSS, then - and up to 100 letters, digits, - or _";

export function isIdAt(id: unknown, startedAt: Date): id is string {
  if (typeof id !== "string") return false;
  const second = secondOf(startedAt);
  return id.startsWith(`${second}-`) && /^[A-Za-z0-9_-]{1,100}$/.test(id.slice(second.length + 1));
}

function secondOf(date: Date): string {
  return date.toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "-");
}

/** Whether the text can name a run. Only then may it become part of a path. */
export function isRunId(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/.test(text);
}
