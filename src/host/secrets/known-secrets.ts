import { masked, type Safe, type SafeText } from "../sink/index.ts";
import type { FindSecrets } from "./find-forms.ts";
import { findSecrets } from "./find-secrets.ts";
import { maskWord } from "./mask-fact.ts";
import { maskText } from "./mask-text.ts";
import { type Secret, secretNames, secretValues } from "./secret-names.ts";

/**
 * What this process must not show: the secrets in its environment, and those that it has learned from options and files since. A recording
 * has its own list; this one is for everything else that leaves the process.
 */
let learned: ReadonlyMap<string, Secret> | undefined;
let finder: FindSecrets | undefined;

function known(): ReadonlyMap<string, Secret> {
  learned ??= new Map(secretValues(process.env, secretNames(process.env, [])).map((secret) => [secret.value, secret]));
  return learned;
}

/** From now on these are hidden, too. */
export function learnSecrets(secrets: readonly Secret[]): void {
  const more = secrets.filter(({ value }) => !known().has(value));
  if (more.length === 0) return;
  learned = new Map([...known(), ...more.map((secret) => [secret.value, secret] as const)]);
  finder = undefined;
}

/** Finds everything that is known so far. */
export function findKnown(): FindSecrets {
  finder ??= findSecrets(known().values());
  return finder;
}

/** The text as it may leave the process. */
export function hideSecrets(text: string): SafeText {
  return maskText(text, findKnown());
}

/** Plain data as it may leave the process: masked in every text and every field name. */
export function hideSecretsIn<T extends object>(value: T, find: FindSecrets = findKnown()): Safe<T> {
  return masked(find.longest === 0 ? value : (hidden(value, find) as T));
}

function hidden(value: unknown, find: FindSecrets): unknown {
  if (typeof value === "string") return maskWord(value, find);
  if (Array.isArray(value)) return value.map((item) => hidden(item, find));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [maskWord(name, find), hidden(item, find)]));
}
