import { createHash } from "node:crypto";
import { isObject, type JsonObject } from "../../../pure/base/index.ts";
import type { TRAJECTORY_VERSION } from "../../../pure/views/index.ts";
import type { Case } from "../cases/index.ts";

/**
 * Everything except the case that decides how it runs and is graded: the side, the grader and the limits. Only results with the same
 * configuration belong together. How many trials run, and how many in parallel, is not part of it.
 */
export interface Configuration {
  readonly agent: string;
  readonly agentVersion: string | null;
  readonly binary: string;
  readonly model: string | null;
  readonly permissions: string;
  readonly args: readonly string[];
  readonly command: string | null;
  readonly like: string | null;
  /** A hash of the added variables; their values stay private. */
  readonly environment: string;
  readonly rules: { readonly allow: readonly string[]; readonly deny: readonly string[] };
  readonly mcp: readonly string[];
  readonly timeoutMs: number | null;
  readonly workspace: string | null;
  readonly home: string;
  readonly grader: string | null;
  readonly trajectory: typeof TRAJECTORY_VERSION;
  readonly limits?: Readonly<Record<string, number | undefined>> | undefined;
  readonly judge?: object | undefined;
  /** The level of isolation that was asked for. */
  readonly isolate?: string | undefined;
  readonly effort?: string | undefined;
  readonly systemPrompt?: string | undefined;
  /** A hash of the MCP servers. */
  readonly servers?: string | undefined;
  /** What is laid over the workspace, and what is left out of it. */
  readonly layers?: readonly string[] | undefined;
  /** Everything that the evaluation file refers to, by its path relative to the file, with a hash of its contents. */
  readonly inputs?: Readonly<Record<string, string>> | undefined;
  /** The policy that decided calls, by its hash. */
  readonly enforce?: string | undefined;
}

export function hashOf(value: object): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}

/** Hashes everything in the row that reaches the agent or the grader. */
export function caseHash({ id, input, expected, reference, metadata, timeout, workspace, setup }: Case): string {
  return hashOf([id, input, expected ?? null, reference ?? null, metadata, timeout ?? null, workspace ?? null, setup ?? null]);
}

/** The fields in which two configurations differ, as text for people. */
export function differences(before: object, now: object): string[] {
  const fields = new Map(Object.entries(before));
  return Object.entries(now).flatMap(([name, value]) => {
    const earlier = fields.get(name);
    if (name === "inputs" && isObject(earlier) && isObject(value)) return changedIn(earlier, value);
    const old = JSON.stringify(earlier);
    const fresh = JSON.stringify(value);
    return old === fresh ? [] : [`${name} was ${old} and is ${fresh}`];
  });
}

function changedIn(before: JsonObject, now: JsonObject): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].flatMap((name) => {
    if (before[name] === now[name]) return [];
    return [`${name} ${before[name] === undefined ? "is new" : now[name] === undefined ? "is gone" : "has other contents"}`];
  });
}
