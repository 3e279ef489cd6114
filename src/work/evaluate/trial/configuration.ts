import { createHash } from "node:crypto";
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
    const old = JSON.stringify(fields.get(name));
    const fresh = JSON.stringify(value);
    return old === fresh ? [] : [`${name} was ${old} and is ${fresh}`];
  });
}
