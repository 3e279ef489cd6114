import type { JsonObject } from "../../pure/base/index.ts";
import type { Answer, Frame } from "./answer.ts";
import type { Conversation } from "./conversation.ts";
import type { ErrorWord, Usage } from "./model-scenario.ts";

/** A wire protocol between an agent and its model. Pure: what a request says, what an answer looks like. */
export interface Dialect {
  readonly id: string;
  /** What a POST to a path wants: a turn, or how many tokens a request would be; undefined where it is none of this dialect. */
  asks(path: string): "turn" | "count" | undefined;
  /** What a request says; undefined where it is none of this dialect. */
  conversation(body: JsonObject, path: string): Conversation | undefined;
  /** The same tokens in the classes that it can tell. */
  charged(usage: Usage): Usage;
  /** The streamed answer. The last frame ends it. */
  frames(answer: Answer): readonly Frame[];
  /** The same answer in one piece. */
  whole(answer: Answer): JsonObject;
  /** An error in the middle of a stream, or its HTTP status where there is no stream. */
  errorFrame(error: ErrorWord, message: string, answer: Answer): Frame;
  /** The body of an HTTP error. */
  failure(status: number, message: string): JsonObject;
  /** The answer to a request that is too long for the model. */
  readonly overflow: {
    readonly message: string;
    /** It is an error in the stream; else HTTP 400. */
    readonly isFrame?: true;
  };
  /** The answer to a client that asked for a count. */
  counted(tokens: number): JsonObject;
  /** How it writes JSON, where that is not as everybody does. */
  readonly json?: (value: JsonObject) => string;
}

/** The HTTP status that means the same as an error in a stream. */
export const statusOfError: Readonly<Record<ErrorWord, number>> = { overloaded: 529, "rate-limit": 429, server: 500, context: 400 };
