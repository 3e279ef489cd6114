import type { ModelMessage, ProviderData, ToolResultOutput } from "./model-message.ts";

/** A tool as the AI SDK has them: its `tool()`, those of MCP servers, and ours. Described is what is used here. */
export interface Tool {
  readonly description?: string | undefined;
  /** A schema of zod, one that keeps to Standard Schema, or the SDK's own. */
  readonly inputSchema: unknown;
  readonly providerOptions?: ProviderData | undefined;
  execute?(input: unknown, options: ToolCallOptions): unknown;
  toModelOutput?(result: ToolCallResult): ToolResultOutput | PromiseLike<ToolResultOutput>;
}

export interface ToolCallOptions {
  readonly toolCallId: string;
  readonly messages: readonly ModelMessage[];
  readonly abortSignal?: AbortSignal | undefined;
  readonly experimental_context?: unknown;
}

interface ToolCallResult {
  readonly toolCallId: string;
  readonly input: unknown;
  readonly output: unknown;
}

export type Tools = Readonly<Record<string, Tool>>;

/** For whoever only offers them: nothing of a tool but what the model is told. */
export type OfferedTools = Readonly<Record<string, Pick<Tool, "description" | "inputSchema" | "providerOptions">>>;

/** Tools that can also be given to the SDK. */
export type SdkTools = Readonly<Record<string, SdkTool>>;

export interface SdkTool {
  readonly description?: string;
  /** To be handed on, not to be looked into: it fits whatever type of schema the SDK wants. */
  readonly inputSchema: never;
  readonly execute: (input: unknown, options: ToolCallOptions) => Promise<unknown>;
  readonly toModelOutput?: (result: { readonly output: unknown }) => { type: "text"; value: string };
}
