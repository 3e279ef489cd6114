import { isObject, type JsonObject } from "../../../pure/base/index.ts";
import { type FactBody, type ObservedType, type Stop, type TraceGapReason, tokenClasses } from "../../../pure/events/index.ts";
import { type Check, exactly, isFlag, isNumber, isText, isTexts, listOf, maybe, oneOf, orNull } from "./shape.ts";

/** Whether it is a fact that some recorder wrote: an event is made of it as it is, so no field may be there that its type does not have. */
export function isFactBody(body: JsonObject): boolean {
  const { type } = body;
  const check = typeof type === "string" && Object.hasOwn(facts, type) ? facts[type as FactBody["type"]] : undefined;
  return check?.(body) ?? false;
}

const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isCode: Check = (value) => Number.isSafeInteger(value);

const stop: Readonly<Record<Stop, true>> = {
  timeout: true,
  idle: true,
  cancel: true,
  "after-result": true,
  log: true,
  "not-started": true,
  "recorder-died": true,
};
export const isStop: Check = oneOf(...Object.keys(stop));

const file = maybe(exactly({ path: isText, bytes: isCount, sha256: isText }));
const problem = maybe(isText);
const end = { exitCode: orNull(isCode), signal: orNull(isText), durationMs: orNull(isNumber) };
const source = oneOf("wrapper", "trace");
const category = oneOf("test", "build", "install", "vcs", "network", "file", "other");
const kinds = ["added", "modified", "deleted", "renamed", "mode", "type", "unknown"] as const;
const evidence = exactly({
  source: oneOf("stdout", "stderr", "fs_diff", "manifest", "commands", "events", "scenario"),
  path: maybe(isText),
  line: maybe(isCount),
  excerpt: maybe(isText),
  sha256: maybe(isText),
  events: maybe(listOf(isCount)),
});
const effect = exactly({
  kind: oneOf("write", "socket", "connection"),
  target: isText,
  peer: maybe(oneOf("loopback", "other")),
  by: oneOf("agent", "command"),
  call: isText,
  count: isCount,
  at: isNumber,
  pid: isCount,
  argv: isTexts,
});
const gapReasons: Readonly<Record<TraceGapReason, true>> = {
  "unresolved-path": true,
  mounts: true,
  "io-uring": true,
  "untraced-process": true,
  outlived: true,
  "other-process": true,
  "other-abi": true,
  "unread-line": true,
  "too-many": true,
};
const effects = exactly({
  writes: isCount,
  sockets: isCount,
  connections: isCount,
  first: listOf(effect),
  gaps: listOf(exactly({ reason: oneOf(...Object.keys(gapReasons)), count: isCount, example: maybe(isText) })),
  home: maybe(isText),
  log: file,
});

const observed: Readonly<Record<ObservedType, Readonly<Record<string, Check>>>> = {
  observation: {
    mode: oneOf("black_box", "white_box"),
    scenario: isText,
    environment: oneOf("local", "ci", "staging", "prod", "unknown"),
    capture: oneOf("full", "redacted", "hashed"),
    request: isText,
    constraints: listOf(exactly({ id: isText, type: isText, rule: isText, options: maybe(isObject) })),
    agentVersion: orNull(isText),
    metadata: file,
  },
  "workspace-prepared": {
    root: isText,
    source: oneOf("empty", "copied"),
    copiedFrom: maybe(isText),
    manifest: file,
    entries: orNull(isCount),
    bytes: orNull(isCount),
    problem,
  },
  "process-started": { cwd: isText, argv: isTexts, argvSha256: isText, verbose: orNull(isFlag) },
  "process-observed": {
    ...end,
    stopped: maybe(isStop),
    leftovers: orNull(isCount),
    resources: exactly({ userMs: orNull(isNumber), systemMs: orNull(isNumber), maxRssBytes: orNull(isNumber) }),
  },
  artifact: { role: oneOf("stdout", "stderr"), file, also: maybe(isTexts), problem },
  "files-changed": {
    turn: maybe(isCount),
    callId: maybe(isText),
    before: file,
    after: file,
    patch: file,
    method: oneOf("git_diff", "diff_ru", "other"),
    total: orNull(isCount),
    counts: orNull(exactly(Object.fromEntries(kinds.map((kind) => [kind, isCount])))),
    changes: listOf(exactly({ kind: oneOf(...kinds), path: isText, was: maybe(isText), mtime: maybe(isNumber) })),
    lookedUp: maybe(listOf(exactly({ path: isText, state: oneOf("same", "rewritten", "absent") }))),
    leftOut: isCount,
    unseen: orNull(isCount),
    problem,
  },
  "command-observed": {
    source,
    argv: isTexts,
    category,
    cwd: orNull(isText),
    startedAt: orNull(isCount),
    ...end,
    pid: maybe(isCount),
    ppid: maybe(isCount),
  },
  "commands-observed": {
    available: isFlag,
    reason: maybe(oneOf("wrappers disabled", "no wrapped binaries invoked", "permission issue", "unknown")),
    problem,
    sources: listOf(source),
    wrapped: isTexts,
    observed: orNull(isCount),
    categories: listOf(category),
    log: file,
    effects: maybe(effects),
  },
  "model-ledger": {
    requests: orNull(isCount),
    tokens: exactly(Object.fromEntries(tokenClasses.map((name) => [name, orNull(isCount)]))),
    problem,
  },
  check: {
    id: isText,
    group: oneOf("alignment", "quality", "policy"),
    status: oneOf("pass", "warn", "fail", "unknown"),
    message: isText,
    evidence: listOf(evidence),
    rule: maybe(isText),
  },
  evaluation: { problem },
};

const notice = { code: isText, message: isText };
const all: Readonly<Record<FactBody["type"], Readonly<Record<string, Check>>>> = {
  warning: notice,
  error: notice,
  "permission-decision": {
    decision: oneOf("allow", "deny"),
    callId: maybe(isText),
    tool: maybe(isText),
    reason: maybe(isText),
    parent: maybe(isText),
  },
  ...observed,
};
const facts = Object.fromEntries(Object.entries(all).map(([type, fields]) => [type, exactly({ type: isText, ...fields })])) as Readonly<
  Record<FactBody["type"], Check>
>;
