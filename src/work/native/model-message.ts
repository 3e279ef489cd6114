/**
 * Messages in the AI SDK's format: you can pass its `ModelMessage`s here and ours there. We declare the types ourselves because the SDK's
 * declarations do not compile under `exactOptionalPropertyTypes`, nor without the browser's types.
 */
export type ModelMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

interface Noted {
  /** Extra data for a provider, by the provider's name. */
  providerOptions?: ProviderData;
}

export type ProviderData = Record<string, JsonRecord>;
type JsonRecord = { [key: string]: JsonValue | undefined };
type JsonValue = null | string | number | boolean | JsonRecord | JsonValue[];

interface SystemMessage extends Noted {
  role: "system";
  content: string;
}

interface UserMessage extends Noted {
  role: "user";
  content: string | readonly (TextPart | LeftOut)[];
}

interface AssistantMessage extends Noted {
  role: "assistant";
  content: string | readonly (SaidPart | ToolResultPart | LeftOut)[];
}

interface ToolMessage extends Noted {
  role: "tool";
  content: readonly (ToolResultPart | LeftOut)[];
}

/** A model's answer: its text, its reasoning, its calls. */
export interface SaidMessage extends Noted {
  role: "assistant";
  content: string | SaidPart[];
}

export type SaidPart = TextPart | ReasoningPart | ToolCallPart;

interface TextPart extends Noted {
  type: "text";
  text: string;
}

interface ReasoningPart extends Noted {
  type: "reasoning";
  text: string;
}

interface ToolCallPart extends Noted {
  type: "tool-call";
  toolCallId: string;
  toolName: string;
  input: unknown;
}

export interface ToolResultPart extends Noted {
  type: "tool-result";
  toolCallId: string;
  toolName: string;
  output: ToolResultOutput;
}

/** A tool's result as the model sees it. */
export type ToolResultOutput =
  | { type: "text" | "error-text"; value: string }
  | { type: "json" | "error-json"; value: JsonValue }
  | { type: "execution-denied"; reason?: string }
  | { type: "content"; value: readonly { type: string; text?: string }[] };

/** Parts of the SDK's messages that we never send to a model. */
interface LeftOut {
  type: "image" | "file" | "tool-approval-request" | "tool-approval-response";
}
