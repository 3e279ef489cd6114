import type { Effect } from "./effects.ts";

/** Three levels of permissions, and one rule of each kind. */
export const levels = ["full", "default", "read-only", "allow", "deny"] as const;

export type Level = (typeof levels)[number];

interface LevelPart {
  readonly permissions: "full" | "default" | "read-only";
  readonly options: readonly string[];
  /** Effects that must not happen. */
  readonly forbids: readonly Effect[];
}

/**
 * `default` is what the CLI does by itself when no one can answer, so it promises nothing. An allow rule adds to it, and must add nothing
 * else; a subagent that only makes use of the rule is not more.
 */
export const levelParts: Readonly<Record<Level, LevelPart>> = {
  full: { permissions: "full", options: [], forbids: [] },
  default: { permissions: "default", options: [], forbids: [] },
  "read-only": { permissions: "read-only", options: [], forbids: ["write", "edit", "command", "mcp", "fetch", "subagent"] },
  allow: { permissions: "default", options: ["--allow", "read", "--allow", "edit"], forbids: ["command", "mcp", "fetch"] },
  deny: { permissions: "full", options: ["--deny", "execute"], forbids: ["command"] },
};
