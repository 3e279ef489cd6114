import type { JsonObject } from "../core/json.ts";
import type { Answer, Frame } from "./answer.ts";
import type { Conversation } from "./conversation.ts";
import type { ErrorWord } from "./scenario.ts";

/** A wire protocol between an agent and its model. Pure: what a request says, what an answer looks like. */
export interface Dialect {
  readonly id: string;
  /** Requests for a turn are posted here. */
  readonly path: string;
  /** Where a client asks how many tokens a request would be. */
  readonly countPath?: string;
  /** What a request says; undefined where it is none of this dialect. */
  conversation(body: JsonObject): Conversation | undefined;
  /** The streamed answer. The last frame ends it. */
  frames(answer: Answer): readonly Frame[];
  /** The same answer in one piece. */
  whole(answer: Answer): JsonObject;
  /** An error in the middle of a stream, or its HTTP status where there is no stream. */
  errorFrame(error: ErrorWord, message: string, answer: Answer): Frame;
  /** The body of an HTTP error. */
  failure(status: number, message: string): JsonObject;
}

/** The HTTP status that means the same as an error in a stream. */
export const statusOfError: Readonly<Record<ErrorWord, number>> = { overloaded: 529, "rate-limit": 429, server: 500 };
