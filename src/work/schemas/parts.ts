import { z } from "zod";
import type { ObjectOf } from "./schema.ts";

export type Fields = z.core.$ZodLooseShape;

/** A count or a position: what we number ourselves. Numbers that an agent declares are taken as they come. */
export const count = () => z.int().min(0);
export const ordinal = () => z.int().min(1);

export const epochMs = () => z.int().describe("Milliseconds since the Unix epoch");

/** The version a record was written in. Any of the same first number: later ones only add. */
export const versionLike = (version: string) => z.string().regex(new RegExp(`^${version.split(".")[0]}\\.\\d+$`));

export const streamName = () => z.enum(["stdout", "stderr"]);

export const runStatus = () =>
  z
    .enum(["completed", "failed", "blocked", "timed_out", "hung", "canceled", "crashed", "infrastructure"])
    .nullable()
    .describe("How the run ended; null where nothing tells");

export const role = () => z.enum(["assistant", "user", "system"]);

export const tokens = (object: ObjectOf) =>
  object({
    input: z.number().nullable().describe("Uncached input"),
    cacheRead: z.number().nullable(),
    cacheWrite: z.number().nullable(),
    output: z.number().nullable().describe("Output without reasoning, where the agent tells them apart"),
    reasoning: z.number().nullable(),
  }).meta({ id: "Tokens", description: 'Disjoint classes: no token is in two of them. Null is "not told", which is not zero' });

/** The stretch of raw bytes a record came from, as `--refs` adds it. */
export const rangeRefs = () => ({
  stream: streamName().exactOptional().describe("With --refs: the stream that the byte range is a range of"),
  offset: count().exactOptional().describe("With --refs: where the lines it came from begin, in bytes"),
  length: count().exactOptional().describe("With --refs: how many bytes they cover, without the last newline"),
});

/** Everything that `--refs` adds to a record; all of it optional, because without that flag none of it is there. */
export const refs = () => ({
  seq: ordinal().exactOptional().describe("With --refs: the number of the event that completed this record"),
  callId: z.string().exactOptional().describe("With --refs: the tool call it is about"),
  ...rangeRefs(),
});
