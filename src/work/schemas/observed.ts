import { z } from "zod";
import { count, epochMs, type Fields, ordinal, runStatus, type tokens } from "./parts.ts";
import type { ObjectOf } from "./schema.ts";

const text = () => z.string();
const maybe = () => z.string().exactOptional();
const texts = () => z.array(z.string());
const kinds = ["added", "modified", "deleted", "renamed", "mode", "type", "unknown"] as const;
const categories = () => z.enum(["test", "build", "install", "vcs", "network", "file", "other"]);
const sources = () => z.enum(["wrapper", "trace"]);
const problem = () => maybe().describe("What could not be done, in a sentence");
const end = () => ({ exitCode: z.int().nullable(), signal: text().nullable(), durationMs: z.number().nullable() });

export const stop = () => z.enum(["timeout", "idle", "cancel", "after-result", "log", "not-started", "recorder-died"]);

/** The fields of what only the recorder can say, by the event's type. */
export function observed(object: ObjectOf, usage: ReturnType<typeof tokens>) {
  const fileRef = object({ path: text().describe("From the directory of the observation"), bytes: count(), sha256: text() }).meta({
    id: "FileRef",
    description: "A file that belongs to the run",
  });
  const file = () => fileRef.exactOptional();

  return {
    observation: {
      mode: z.enum(["black_box", "white_box"]),
      scenario: text(),
      environment: z.enum(["local", "ci", "staging", "prod", "unknown"]),
      capture: z.enum(["full", "redacted", "hashed"]),
      request: text().describe("What was asked for, as the capture mode has it"),
      constraints: z.array(object({ id: text(), type: text(), rule: text(), options: z.record(z.string(), z.unknown()).exactOptional() })),
      agentVersion: text().nullable(),
      metadata: file(),
    },
    "workspace-prepared": {
      root: text(),
      source: z.enum(["empty", "copied"]),
      copiedFrom: maybe(),
      manifest: file(),
      entries: count().nullable(),
      bytes: count().nullable(),
      problem: problem(),
    },
    "process-started": {
      cwd: text(),
      argv: texts().describe("As the capture mode has it; empty where only its hash is kept"),
      argvSha256: text(),
      verbose: z.boolean().nullable(),
    },
    "process-observed": {
      ...end(),
      stopped: stop().exactOptional(),
      leftovers: count().nullable().describe("Processes it left behind, which were ended"),
      status: runStatus().exactOptional(),
      resources: object({ userMs: z.number().nullable(), systemMs: z.number().nullable(), maxRssBytes: z.number().nullable() }),
    },
    artifact: { role: z.enum(["stdout", "stderr"]), file: file(), also: texts().exactOptional(), problem: problem() },
    "files-changed": {
      turn: ordinal().exactOptional().describe("Which snapshot of the running agent this is; absent: the whole run"),
      callId: maybe().describe("The call after which it was taken"),
      before: file(),
      after: file(),
      patch: file(),
      method: z.enum(["git_diff", "diff_ru", "other"]),
      total: count().nullable().describe("Null: it could not be compared"),
      counts: object(
        Object.fromEntries(kinds.map((kind) => [kind, count()])) as Record<(typeof kinds)[number], ReturnType<typeof count>>,
      ).nullable(),
      changes: z
        .array(object({ kind: z.enum(kinds), path: text(), was: maybe(), mtime: z.number().exactOptional() }))
        .describe("The first of them"),
      lookedUp: z
        .array(object({ path: text(), state: z.enum(["same", "rewritten", "absent"]) }))
        .exactOptional()
        .describe("Unchanged paths that the agent said it had written"),
      leftOut: count().describe("Changes of files that the patch could not take in"),
      unseen: count().nullable().describe("Entries whose contents or names were not read: a change may hide there"),
      problem: problem(),
    },
    "command-observed": {
      source: sources(),
      argv: texts(),
      category: categories(),
      cwd: text().nullable(),
      startedAt: epochMs().nullable(),
      ...end(),
      pid: count().exactOptional(),
      ppid: count().exactOptional(),
    },
    "commands-observed": {
      available: z.boolean(),
      reason: z.enum(["wrappers disabled", "no wrapped binaries invoked", "permission issue", "unknown"]).exactOptional(),
      problem: problem(),
      sources: z.array(sources()),
      wrapped: texts().describe("The names that wrappers stood for: no other command was seen by them"),
      observed: count().nullable(),
      categories: z.array(categories()),
      log: file(),
      effects: effects(object, file).exactOptional(),
    },
    "model-ledger": {
      requests: count().nullable().describe("Null: it could not be read"),
      tokens: usage,
      problem: problem(),
    },
    check: {
      id: text(),
      group: z.enum(["alignment", "quality", "policy"]),
      status: z.enum(["pass", "warn", "fail", "unknown"]),
      message: text(),
      evidence: z.array(evidence(object)),
    },
    evaluation: { problem: problem() },
  } satisfies Record<string, Fields>;
}

const gapReasons = [
  "unresolved-path",
  "mounts",
  "io-uring",
  "untraced-process",
  "outlived",
  "other-process",
  "other-abi",
  "unread-line",
  "too-many",
] as const;

function effects<File extends z.ZodType>(object: ObjectOf, file: () => File) {
  const effect = object({
    kind: z.enum(["write", "socket", "connection"]),
    target: text().describe("A path, or address:port"),
    peer: z.enum(["loopback", "other"]).exactOptional(),
    by: z.enum(["agent", "command"]).describe("Whether the agent itself did it, or something that it ran"),
    call: text(),
    count: count(),
    at: z.number(),
    pid: count(),
    argv: texts(),
  }).meta({ id: "TracedEffect", description: "Something beside the workspace that was changed, or somebody who was spoken to" });
  return object({
    writes: count(),
    sockets: count(),
    connections: count(),
    first: z.array(effect),
    gaps: z.array(object({ reason: z.enum(gapReasons), count: count(), example: maybe() })).describe("Empty: all was seen"),
    home: maybe(),
    log: file(),
  }).meta({ id: "TraceEffects", description: "What a whole trace saw beside the starts of programs" });
}

export function evidence(object: ObjectOf) {
  return object({
    source: z.enum(["stdout", "stderr", "fs_diff", "manifest", "commands", "events", "scenario"]),
    path: maybe(),
    line: ordinal().exactOptional(),
    excerpt: maybe(),
    sha256: maybe(),
    events: z.array(ordinal()).exactOptional().describe("Numbers of the events it is about"),
  }).meta({ id: "Evidence", description: "What a verdict rests on: an excerpt, or the hash of what was looked at" });
}
