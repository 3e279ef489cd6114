import type { ModelMessage } from "../model-message.ts";

/** The context windows that vendors publish, in tokens, by the beginning of a model's name. */
const WINDOWS: readonly (readonly [name: RegExp, tokens: number])[] = [
  [/^claude-/, 200_000],
  [/^gpt-4\.1/, 1_047_576],
  [/^gpt-4o/, 128_000],
  [/^gpt-5/, 272_000], // of 400,000, the part for input
  [/^o[34]/, 200_000],
  [/^gemini-/, 1_048_576],
  [/^qwen3-coder/, 262_144],
  [/^deepseek-/, 128_000],
  [/^kimi-k2/, 262_144],
];

/** Undefined if unknown: then only the provider's error shows that it is full. */
export function windowOf(model: string): number | undefined {
  const name = model.slice(model.lastIndexOf("/") + 1);
  return WINDOWS.find(([pattern]) => pattern.test(name))?.[1];
}

/** Few tokenizers need more tokens than this for text or code. */
const CHARACTERS_PER_TOKEN = 3;

export function estimated(messages: readonly ModelMessage[]): number {
  return Math.ceil(messages.reduce((sum, message) => sum + charactersOf(message), 0) / CHARACTERS_PER_TOKEN);
}

const sizes = new WeakMap<ModelMessage, number>();

/** A message never changes, so each is measured once. */
function charactersOf(message: ModelMessage): number {
  const known = sizes.get(message);
  if (known !== undefined) return known;
  const size = typeof message.content === "string" ? message.content.length : JSON.stringify(message.content).length;
  sizes.set(message, size);
  return size;
}
