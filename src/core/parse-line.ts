import { isBomb } from "./bomb.ts";

/** Undefined: not JSON, or not worth the risk of parsing it. */
export function parseLine(text: string): unknown {
  if (isBomb(text)) return undefined;
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}
