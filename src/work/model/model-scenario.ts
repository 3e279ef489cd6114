import type { Tokens } from "../../pure/events/index.ts";

/** The charge for a request: disjoint classes, all known. */
export type Usage = { readonly [Class in keyof Tokens]: number };

/** A tool call as the model writes it. A string is sent verbatim: a freeform tool's input, or deliberately broken JSON. */
export interface Call {
  readonly name: string;
  readonly input: object | string;
  /** Parameters that the tool must have in addition to those of the input, because tools of different agents share names. */
  readonly alsoNeeds?: readonly string[];
  /** Skipped if its tool is not offered. */
  readonly isOptional?: true;
}

/** A failure instead of an answer, or in the middle of one. */
export type Fault = { readonly times: number } & (
  | { readonly kind: "status"; readonly status: number; readonly message?: string; readonly body?: unknown; readonly headers: Headers }
  | { readonly kind: "cut"; readonly where: CutPlace }
  | { readonly kind: "error"; readonly error: ErrorKind; readonly message?: string }
);

type Headers = Readonly<Record<string, string>>;

export const cutPlaces = ["mid-text", "before-stop"] as const;
export type CutPlace = (typeof cutPlaces)[number];

/** `context`: the request is too long for the model. */
export const errorKinds = ["overloaded", "rate-limit", "server", "context"] as const;
export type ErrorKind = (typeof errorKinds)[number];

/** Why the model stops: it is done, it reached its length limit, or its provider blocked the answer. */
export const stopReasons = ["end", "length", "refusal"] as const;
export type StopReason = (typeof stopReasons)[number];

export interface Turn {
  readonly reasoning: string;
  readonly text: string;
  /** Each entry is one call with alternatives: the first one with an offered tool is made. */
  readonly calls: readonly (readonly Call[])[];
  readonly usage: Usage;
  readonly stop: StopReason;
  readonly delayMs: number;
  /** How the text is cut into deltas; without a size, into a few dozen. */
  readonly chunk: { readonly size?: number; readonly everyMs: number };
  readonly fault?: Fault;
}

/** The model's side of one conversation, turn by turn. */
export interface Script {
  readonly marker: string;
  readonly kind: "main" | "subagent";
  readonly turns: readonly Turn[];
}

export interface ModelScenario {
  readonly marker: string;
  /** The conversation of this marker first, then those of its subagents. */
  readonly scripts: readonly Script[];
  /** The answer to requests without tools: titles, summaries. Absent if these count as turns of the conversation. */
  readonly side?: Turn;
  /** Strings to look for in every request. The ledger lists those that appeared. */
  readonly watch: readonly string[];
}

export const noUsage: Usage = Object.freeze({ input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 });

/** For a turn without a usage. */
export const defaultUsage: Usage = Object.freeze({ input: 100, cacheRead: 0, cacheWrite: 0, output: 10, reasoning: 0 });

/** A turn that only says a text, for requests outside the script. */
export function textTurn(text: string): Turn {
  return { reasoning: "", text, calls: [], usage: defaultUsage, stop: "end", delayMs: 0, chunk: { everyMs: 0 } };
}
