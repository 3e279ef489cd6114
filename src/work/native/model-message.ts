/**
 * Messages as the AI SDK has them: its `ModelMessage`s can be given, and what is said can be given to it. They are described here because the
 * SDK's own declarations do not compile under `exactOptionalPropertyTypes`, nor without those of a browser.
 */
export type ModelMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

interface Noted {
  /** What a provider wants to be told with it, by the provider's name. */
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

/** What a model said: its text, its thoughts, its calls. */
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

/** What a model is told of a tool's result. */
export type ToolResultOutput =
  | { type: "text" | "error-text"; value: string }
  | { type: "json" | "error-json"; value: JsonValue }
  | { type: "execution-denied"; reason?: string }
  | { type: "content"; value: readonly { type: string; text?: string }[] };

/** Parts of the SDK's messages that no model is given here. */
interface LeftOut {
  type: "image" | "file" | "tool-approval-request" | "tool-approval-response";
}
