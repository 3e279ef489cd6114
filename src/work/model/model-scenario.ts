import type { Tokens } from "../../pure/events/index.ts";

/** What a served request is charged: disjoint classes, each of them known. */
export type Usage = { readonly [Class in keyof Tokens]: number };

/** A tool call as the model writes it. A string goes over the wire as it is: a freeform tool's input, or JSON that is broken on purpose. */
export interface Call {
  readonly name: string;
  readonly input: object | string;
  /** Parameters that its tool must have beside those of the input: different tools of different agents have one name. */
  readonly beside?: readonly string[];
  /** Left out where its tool is not offered. */
  readonly isOptional?: true;
}

/** What goes wrong instead of, or in the middle of, an answer. */
export type Fault = { readonly times: number } & (
  | { readonly kind: "status"; readonly status: number; readonly message?: string; readonly body?: unknown; readonly headers: Headers }
  | { readonly kind: "cut"; readonly where: CutPlace }
  | { readonly kind: "error"; readonly error: ErrorWord; readonly message?: string }
);

type Headers = Readonly<Record<string, string>>;

export const cutPlaces = ["mid-text", "before-stop"] as const;
export type CutPlace = (typeof cutPlaces)[number];

/** `context`: the request is longer than the model can take. */
export const errorWords = ["overloaded", "rate-limit", "server", "context"] as const;
export type ErrorWord = (typeof errorWords)[number];

/** Why the model stops: it has said what it had to say, it may not say more, or its provider lets it say nothing of the kind. */
export const stopWords = ["end", "length", "refusal"] as const;
export type StopWord = (typeof stopWords)[number];

/** One answer of the model. */
export interface Turn {
  readonly reasoning: string;
  readonly text: string;
  /** Each entry is one call, in alternatives: the first one whose tool the request offers is made. */
  readonly calls: readonly (readonly Call[])[];
  readonly usage: Usage;
  readonly stop: StopWord;
  readonly delayMs: number;
  /** How the text is cut into deltas; without a size, into a few dozen. */
  readonly chunk: { readonly size?: number; readonly everyMs: number };
  readonly fault?: Fault;
}

/** What the model says in one conversation, turn by turn. */
export interface Script {
  readonly marker: string;
  readonly kind: "main" | "subagent";
  readonly turns: readonly Turn[];
}

export interface ModelScenario {
  readonly marker: string;
  /** The conversation of that marker first, then those of its subagents. */
  readonly scripts: readonly Script[];
  /** The answer to requests that carry no tools: titles, summaries. Absent where these are turns of the conversation like any other. */
  readonly side?: Turn;
  /** Strings to look for in every request; the ledger says which ones came. */
  readonly watch: readonly string[];
}

export const noUsage: Usage = Object.freeze({ input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 });

/** Of a turn that does not say. */
export const defaultUsage: Usage = Object.freeze({ input: 100, cacheRead: 0, cacheWrite: 0, output: 10, reasoning: 0 });

/** A turn that only says something, for what no script has foreseen. */
export function textTurn(text: string): Turn {
  return { reasoning: "", text, calls: [], usage: defaultUsage, stop: "end", delayMs: 0, chunk: { everyMs: 0 } };
}
