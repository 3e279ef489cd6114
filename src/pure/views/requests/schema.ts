import {
  count,
  described,
  flag,
  integer,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  ordinal,
  type Static,
  text,
  union,
} from "../../base/index.ts";
import { tokens } from "../../events/index.ts";
import { viewSchema } from "../view-schema.ts";

const request = object({
  type: oneOf("request"),
  request: described(ordinal, "Counts the requests of the run from 1"),
  startedAt: described(text, "ISO 8601"),
  dialect: described(nullable(text), "Null: it did not ask for a turn"),
  model: nullable(text),
  thread: described(nullable(ordinal), "Requests with the same beginning are one conversation. Null: not known"),
  retries: described(nullable(ordinal), "The failed request that this one repeats"),
  status: described(nullable(integer), "Of HTTP. Null: no answer"),
  stream: nullable(flag),
  tokens: described(nullable(tokens), "As the provider counts. Null: it did not say"),
  context: described(nullable(number), "All input tokens, cached or not"),
  cached: described(nullable(number), "The share of the input that came from the cache, from 0 to 1"),
  finish: described(nullable(text), "Why the model stopped, in the provider's words"),
  messages: nullable(count),
  tools: nullable(count),
  firstMs: described(nullable(number), "From the request to the first content"),
  durationMs: number,
  retryAfterMs: nullable(number),
  limits: list(object({ name: text, value: text })),
  problem: optional(text),
});

const total = object({
  type: oneOf("total"),
  requests: described(nullable(count), "Those that asked for a turn. Null, like the other counts: none is recorded"),
  failed: described(nullable(count), "Without an answer, with a status from 400, or broken off"),
  repeated: described(nullable(count), "Those that repeat a failed one"),
  threads: nullable(count),
  tokens: described(tokens, "The sum of the provider's numbers. Null: no request had the class"),
  reported: described(tokens, "What the agent reported of the whole run"),
  differing: described(
    nullable(list(text)),
    "The classes that the agent reports differently. Null: it reported none, or those of a part, or none is recorded",
  ),
});

const record = union("type", [request, total]);
export type RequestRecord = Static<typeof record>;

export const requestsSchema = viewSchema({
  name: "requests",
  version: "1.0",
  title: "Requests",
  description: "The requests to the model, as the provider counted them. Only for runs that record them.",
  shape: record,
});
