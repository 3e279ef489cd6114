/** Messages to the engine, one JSON object per line. */
export type ToEngine =
  | { readonly type: "start"; readonly context: unknown; readonly memoryMb: number; readonly outputLimit: number }
  | { readonly type: "run"; readonly code: string; readonly limitMs: number }
  | { readonly type: "reply"; readonly value: unknown }
  | { readonly type: "reply"; readonly error: string };

/** Messages from the engine. */
export type FromEngine =
  | { readonly type: "ready" }
  | { readonly type: "print"; readonly stream: "stdout" | "stderr"; readonly chunk: string }
  /** The engine waits for the reply. */
  | ({ readonly type: "ask" } & Ask)
  | ({ readonly type: "end" } & EngineEnd);

/** A program's request. */
export type Ask =
  | { readonly what: "llm_query"; readonly prompts: readonly string[] }
  | { readonly what: "sub_rlm"; readonly prompt: string; readonly context: unknown }
  | { readonly what: "exec"; readonly command: string };

export interface EngineEnd {
  readonly error?: string;
  /** The value passed to FINAL or FINAL_VAR. */
  readonly final?: string;
  /** It printed more than the limit. */
  readonly truncated: boolean;
}
