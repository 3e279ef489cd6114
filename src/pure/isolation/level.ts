import { HarnessError } from "../base/index.ts";

/** From the least to the most. */
export const levels = ["none", "process", "files", "sealed", "container"] as const;
export type Level = (typeof levels)[number];

/** A level that was asked for. */
export interface Isolation {
  readonly level: Level;
  /** Of a container. */
  readonly image?: string;
}

/** Reads `none`, `process`, `files`, `sealed` or `container:<image>`. */
export function isolationOf(text: unknown, option = "isolate"): Isolation {
  const [name, image] = typeof text === "string" ? cut(text) : [];
  const level = levels.find((each) => each === name);
  const isWhole = level === "container" ? image !== undefined && image !== "" : image === undefined;
  if (level !== undefined && isWhole) return { level, ...(image !== undefined && { image }) };
  throw new HarnessError("usage", `\`${option}\` must be none, process, files, sealed or container:<image>, not ${JSON.stringify(text)}.`, {
    option,
  });
}

function cut(text: string): readonly [string, string?] {
  const at = text.indexOf(":");
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

export function isAtLeast(level: Level, least: Level): boolean {
  return levels.indexOf(level) >= levels.indexOf(least);
}
