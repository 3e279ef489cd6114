import type { FactBody } from "../../pure/events/index.ts";
import { masked, type Safe } from "../sink/index.ts";
import type { FindSecrets } from "./find-forms.ts";
import { maskText } from "./mask-text.ts";

/** Masks secrets in every text of a fact, which may quote other programs. The fact's type stays. */
export function maskFact(body: FactBody, find: FindSecrets): Safe<FactBody> {
  return masked(find.longest === 0 ? body : ({ ...(hidden(body, find) as FactBody), type: body.type } as FactBody));
}

function hidden(value: unknown, find: FindSecrets): unknown {
  if (typeof value === "string") return maskWord(value, find);
  if (Array.isArray(value)) return value.map((item) => hidden(item, find));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hidden(item, find)]));
}

/** Masked in its JSON form, so that a path keeps the bytes that are not valid text (docs/explanation/workspace.md). */
export function maskWord(word: string, find: FindSecrets): string {
  if (!/\p{Surrogate}/u.test(word)) return maskText(word, find);
  const text = maskText(JSON.stringify(word).slice(1, -1), find);
  try {
    return JSON.parse(`"${text}"`);
  } catch {
    return maskText(word, find); // the secret crossed an escape
  }
}
