import type { ModelMessage, ProviderData, ToolResultOutput } from "./model-message.ts";
import type { ToolState } from "./tool-context.ts";

/** A tool in the AI SDK's format: from its `tool()`, from MCP servers, or ours. Declares only the fields we use. */
export interface Tool {
  readonly description?: string | undefined;
  /** A zod schema, a Standard Schema, or the SDK's own. */
  readonly inputSchema: unknown;
  readonly providerOptions?: ProviderData | undefined;
  /** It changes nothing, so it may run in parallel with others like it. */
  readonly onlyReads?: boolean | undefined;
  /** The directory in which the next call runs, if it does not run in the workspace's root. Permissions judge the call there. */
  readonly directory?: ((state: ToolState) => string) | undefined;
  /** A part of the agent itself, such as the tool for the final answer: no rule decides about it. */
  readonly isOurs?: boolean | undefined;
  /** Asks a user about each call, or about those for which it returns true, also if a rule allows them. */
  readonly needsApproval?: unknown;
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

/** For offering tools: only the part that the model sees. */
export type OfferedTools = Readonly<Record<string, Pick<Tool, "description" | "inputSchema" | "providerOptions">>>;

/** Tools that you can also pass to the SDK. */
export type SdkTools = Readonly<Record<string, SdkTool>>;

export interface SdkTool {
  readonly description?: string;
  readonly onlyReads?: boolean;
  readonly isOurs?: boolean;
  readonly directory?: (state: ToolState) => string;
  /** Opaque, so that it fits any schema type the SDK wants. */
  readonly inputSchema: never;
  readonly execute: (input: unknown, options: ToolCallOptions) => Promise<unknown>;
  readonly toModelOutput?: (result: { readonly output: unknown }) => { type: "text"; value: string };
}
