import {
  anyObject,
  count,
  either,
  type Flaw,
  fits,
  flawOf,
  integer,
  isObject,
  leaf,
  list,
  matching,
  nullable,
  number,
  object,
  oneOf,
  optional,
  text,
  valuesOf,
  yes,
} from "../../../pure/base/index.ts";
import { partialCost, partialUsage, tokens } from "../../../pure/events/index.ts";
import { evidence } from "../../../pure/isolation/index.ts";
import { isRunId } from "./run-id.ts";
import type { RunManifest } from "./run-manifest.ts";
import { moment, runEnd, truncation } from "./stored-record.ts";

/**
 * Checks every field that the program relies on: anyone can write the file. A digest without a seal belongs to a finished run, which must
 * not be finished again.
 */
export function isManifest(value: unknown): value is RunManifest {
  return fits(manifest, value) && (value.digest === undefined || value.sealed !== undefined);
}

/** The path to the first field that would make a description unreadable. */
export function manifestFlaw(value: unknown): Flaw | undefined {
  return flawOf(manifest, value);
}

const texts = list(text);
const maybe = optional(text);

const seal = object({
  at: moment,
  status: nullable(text),
  reason: nullable(text),
  exitCode: nullable(integer),
  signal: nullable(text),
  stopped: maybe,
  durationMs: nullable(number),
  sessionId: nullable(text),
  model: nullable(text),
  usage: tokens,
  costUsd: nullable(number),
  partialUsage: optional(partialUsage),
  partialCost: optional(partialCost),
  toolCalls: count,
  subagents: count,
  unknown: count,
  network: optional(object({ allowed: count, denied: count, up: count, down: count })),
  masked: count,
  leftovers: nullable(count),
  records: count,
  events: count,
  head: text,
  files: valuesOf(object({ bytes: count, sha256: text })),
  truncated: optional(list(truncation)),
  repairs: optional(texts),
});

/** Marks the processes of a run. They are found and killed by it, so it must not be part of anything else. */
const cookie = matching(/^[A-Za-z0-9_-]{1,128}\.[0-9a-f]{24}$/);

/** Views by file name. Files are written under these names, so they must not lead elsewhere. */
const namedViews = leaf<Readonly<Record<string, string>>>(
  { type: "object" },
  (value) =>
    isObject(value) && Object.entries(value).every(([name, id]) => /^[a-z][a-z0-9_-]{0,63}\.jsonl$/.test(name) && typeof id === "string"),
);

const manifest = object({
  id: leaf<string>({ type: "string" }, (value) => typeof value === "string" && isRunId(value)),
  name: maybe,
  tags: texts,
  evaluated: optional(
    object({
      id: text,
      input: optional(either(text, texts)),
      expected: maybe,
      metadata: optional(anyObject),
      trial: optional(count),
      agent: maybe,
      evaluation: maybe,
      configuration: maybe,
    }),
  ),
  observed: optional(object({ out: text, views: optional(namedViews) })),
  agent: text,
  agentFile: optional(object({ kind: oneOf("module", "schema"), path: text, sha256: text, schema: optional(anyObject) })),
  like: maybe,
  startedAt: moment,
  cwd: text,
  model: maybe,
  permissions: text,
  rules: optional(object({ allow: texts, deny: texts })),
  mcp: optional(texts),
  resumes: maybe,
  session: optional(object({ name: text, used: optional(object({ tokens, costUsd: nullable(number) })) })),
  prompt: object({ bytes: count, sha256: text, masked: optional(count) }),
  command: optional(object({ binary: text, args: texts, promptBy: text, foreign: yes })),
  origin: optional(object({ id: text, about: optional(anyObject) })),
  launcher: optional(object({ id: text, about: optional(anyObject) })),
  isolation: optional(evidence),
  environment: object({ set: texts, removed: texts }),
  secrets: object({ names: texts, fingerprints: optional(anyObject) }),
  recorder: object({ version: text, translation: optional(count), node: text, platform: text, host: text, pid: count }),
  cookie,
  ended: optional(runEnd),
  sealed: optional(seal),
  digest: maybe,
});
