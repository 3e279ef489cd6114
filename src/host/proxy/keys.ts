import { randomBytes } from "node:crypto";

/** A key that stays outside, and what the agent gets in its place. */
export interface HeldKey {
  readonly variable: string;
  readonly placeholder: string;
  readonly value: string;
}

/** Programs choose a way to authenticate by these, and they are public. */
const PREFIX = /^(?:sk-ant-(?:[a-z]{2,5}\d{2}-)?|sk-proj-|sk-or-v1-|sk-|AIza|gsk_|xai-)/;

/** Headers that carry a key. */
const HEADERS: ReadonlySet<string> = new Set(["authorization", "x-api-key", "x-goog-api-key", "api-key"]);

/** Keeps these variables of an environment outside. */
export function holdKeys(variables: readonly string[], env: NodeJS.ProcessEnv): readonly HeldKey[] {
  return [...new Set(variables)].flatMap((variable) => {
    const value = env[variable];
    if (value === undefined || value === "") return [];
    return [{ variable, value, placeholder: `${PREFIX.exec(value)?.[0] ?? ""}placeholder-${randomBytes(16).toString("hex")}` }];
  });
}

/** Raw headers with the real keys. Only headers that carry keys are changed. */
export function withKeys(rawHeaders: readonly string[], keys: readonly HeldKey[]): string[] {
  return rawHeaders.map((text, i) => (i % 2 === 1 && HEADERS.has(rawHeaders[i - 1]?.toLowerCase() ?? "") ? filled(text, keys) : text));
}

/** Whether a request carries one of the placeholders as its key. */
export function isCarried(keys: readonly HeldKey[], path: string, rawHeaders: readonly string[]): boolean {
  return withKeys(rawHeaders, keys).some((text, i) => text !== rawHeaders[i]) || pathWithKeys(path, keys) !== path;
}

/** The path and query of a request, with the real key in its `key` parameter. */
export function pathWithKeys(path: string, keys: readonly HeldKey[]): string {
  return path.replace(/(?<=[?&]key=)[^&#]*/g, (text) => filled(text, keys, encodeURIComponent));
}

function filled(text: string, keys: readonly HeldKey[], spelled = (value: string) => value): string {
  const key = keys.find(({ placeholder }) => text.includes(placeholder));
  return key === undefined ? text : text.replace(key.placeholder, () => spelled(key.value));
}
