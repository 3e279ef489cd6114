import { isObject } from "../../../pure/base/index.ts";
import { tokenClasses } from "../../../pure/events/index.ts";
import { isRunId } from "./run-id.ts";
import type { RunManifest } from "./run-manifest.ts";
import { type Check, isNumber, isText, isTexts, maybe, orNull, shape, values } from "./shape.ts";
import { isCount, isMoment, isRunEnd, isTruncation } from "./stored-record.ts";

/**
 * Whether it is what its type says, whoever wrote it: every field that the program relies on is looked at. A digest without a seal is of
 * a run that was finished, and must not be taken for one to finish.
 */
export function isManifest(value: unknown): value is RunManifest {
  return isObject(value) && manifest(value) && (value["digest"] === undefined || value["sealed"] !== undefined);
}

const isTokens = shape(Object.fromEntries(tokenClasses.map((name) => [name, orNull(isNumber)])));

const seal = shape({
  at: isMoment,
  status: orNull(isText),
  reason: orNull(isText),
  exitCode: orNull(Number.isSafeInteger),
  signal: orNull(isText),
  stopped: maybe(isText),
  durationMs: orNull(isNumber),
  sessionId: orNull(isText),
  model: orNull(isText),
  usage: isTokens,
  costUsd: orNull(isNumber),
  toolCalls: isCount,
  subagents: isCount,
  unknown: isCount,
  masked: isCount,
  leftovers: orNull(isCount),
  records: isCount,
  events: isCount,
  head: isText,
  files: values(shape({ bytes: isCount, sha256: isText })),
  truncated: maybe((value) => Array.isArray(value) && value.every(isTruncation)),
  repairs: maybe(isTexts),
});

/** What marks the processes of a run. They are looked for and ended by it, so that it must not be a part of anything else. */
const isCookie: Check = (value) => typeof value === "string" && /^[A-Za-z0-9_-]{1,128}\.[0-9a-f]{24}$/.test(value);

const manifest = shape({
  id: (value) => typeof value === "string" && isRunId(value),
  name: maybe(isText),
  tags: isTexts,
  evaluated: maybe(
    shape({
      id: isText,
      input: maybe((value) => isText(value) || isTexts(value)),
      expected: maybe(isText),
      metadata: maybe(isObject),
      trial: maybe(isCount),
    }),
  ),
  observed: maybe(shape({ out: isText })),
  agent: isText,
  agentFile: maybe(
    shape({ kind: (value) => value === "module" || value === "schema", path: isText, sha256: isText, schema: maybe(isObject) }),
  ),
  like: maybe(isText),
  startedAt: isMoment,
  cwd: isText,
  model: maybe(isText),
  permissions: isText,
  rules: maybe(shape({ allow: isTexts, deny: isTexts })),
  mcp: maybe(isTexts),
  resumes: maybe(isText),
  session: maybe(shape({ name: isText, used: maybe(shape({ tokens: isTokens, costUsd: orNull(isNumber) })) })),
  prompt: shape({ bytes: isCount, sha256: isText, masked: maybe(isCount) }),
  command: shape({ binary: isText, args: isTexts, promptBy: isText }),
  launcher: maybe(shape({ id: isText, about: maybe(isObject) })),
  environment: shape({ set: isTexts, removed: isTexts }),
  secrets: shape({ names: isTexts, fingerprints: maybe(isObject) }),
  recorder: shape({ version: isText, node: isText, platform: isText, host: isText, pid: isCount }),
  cookie: isCookie,
  ended: maybe(isRunEnd),
  sealed: maybe(seal),
  digest: maybe(isText),
});
