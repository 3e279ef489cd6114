import type { JsonObject } from "../../pure/base/index.ts";
import type { Answer, Frame } from "./answer.ts";
import type { Conversation } from "./conversation.ts";
import type { ErrorKind, Usage } from "./model-scenario.ts";

/** A wire protocol between an agent and its model. Pure: it reads requests and builds answers. */
export interface Dialect {
  readonly id: string;
  /** What a POST to this path requests: a turn, or a token count; undefined if the path is not in this dialect. */
  asks(path: string): "turn" | "count" | undefined;
  /** Reads a request; undefined if it is not in this dialect. */
  conversation(body: JsonObject, path: string): Conversation | undefined;
  /** The same tokens in the classes that the dialect has. */
  charged(usage: Usage): Usage;
  /** The streamed answer. The last frame ends it. */
  frames(answer: Answer): readonly Frame[];
  /** The same answer in one piece. */
  whole(answer: Answer): JsonObject;
  /** An error in the middle of a stream; without a stream, its HTTP status is used. */
  errorFrame(error: ErrorKind, message: string, answer: Answer): Frame;
  /** The body of an HTTP error. */
  failure(status: number, message: string): JsonObject;
  /** The answer to a request that is too long for the model. */
  readonly overflow: {
    readonly message: string;
    /** Sent as an error in the stream instead of HTTP 400. */
    readonly isFrame?: true;
  };
  /** The answer to a request for a token count. */
  counted(tokens: number): JsonObject;
  /** Writes JSON, if the dialect escapes it in its own way. */
  readonly json?: (value: JsonObject) => string;
}

/** The HTTP status that means the same as an error in a stream. */
export const statusOfError: Readonly<Record<ErrorKind, number>> = { overloaded: 529, "rate-limit": 429, server: 500, context: 400 };
