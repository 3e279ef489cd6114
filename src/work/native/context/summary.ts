import { spelled } from "../../../pure/base/index.ts";
import { headAndTail } from "../head-and-tail.ts";
import type { ModelMessage } from "../model-message.ts";
import { outputText } from "./shorten.ts";

const PREFACE = "The conversation so far became too long. This summary replaces its beginning:\n\n";

/** The message that stands for everything before it. */
export function summaryMessage(summary: string): ModelMessage {
  return { role: "user", content: PREFACE + summary };
}

export function isSummary({ role, content }: ModelMessage): boolean {
  return role === "user" && typeof content === "string" && content.startsWith(PREFACE);
}

export const SUMMARIZER = "You summarize the work of a coding agent, so that the agent can continue from your summary alone.";

const REQUEST = `Summarize the conversation above for the agent that continues it. It will see only your summary and the last messages. Write these sections:
- Task: what the user asked for, with every requirement and correction, in the user's words where they matter
- Done: what was changed, with the paths, and what was learned, with exact names, numbers and errors
- State: what works, what fails, which commands were run to check it and how they ended
- Next: what remains, in order
Write no preamble and no advice.`;

/** Each result and call in the transcript is cut to this, because a summary needs no listings. */
const MOST_OF_A_PART = 2000;

/** The request for a summary: a text, because a model continues a conversation instead of summarizing it. `most` bounds its length. */
export function summaryRequest(messages: readonly ModelMessage[], most: number): string {
  return `<conversation>\n${headAndTail(messages.map(line).join("\n"), most)}\n</conversation>\n\n${REQUEST}`;
}

/** What we can say without a model, if no summary is available: what the user said, and which calls were made. */
export function plainSummary(messages: readonly ModelMessage[], most: number): string {
  const said = messages.flatMap((message) => (message.role === "user" ? [partsOf(message).join("\n")] : []));
  const calls = messages.flatMap((message) => (message.role === "assistant" ? partsOf(message, 200) : []));
  const asked = headAndTail(said.map((text) => text.replace(PREFACE, "")).join("\n\n"), Math.floor(most / 2));
  const done = headAndTail(calls.map((text) => `- ${text.replaceAll("\n", " ")}`).join("\n"), Math.floor(most / 2));
  return `(No model could summarize it; this is an excerpt.)\nThe user said:\n${asked}\n\nThe agent's messages and calls, in order:\n${done}`;
}

function line(message: ModelMessage): string {
  return partsOf(message)
    .map((part) => `[${message.role}] ${part}`)
    .join("\n");
}

function partsOf({ content }: ModelMessage, most: number = MOST_OF_A_PART): readonly string[] {
  if (typeof content === "string") return [content];
  return content.flatMap((part) => {
    if (part.type === "text") return [part.text];
    if (part.type === "tool-call") return [`calls ${part.toolName} ${headAndTail(spelled(part.input), most)}`];
    if (part.type === "tool-result") return [`${part.toolName} returned: ${headAndTail(outputText(part.output), most)}`];
    return []; // thoughts and files
  });
}
