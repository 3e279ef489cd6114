import { headAndTail } from "../head-and-tail.ts";
import type { ModelMessage, ToolResultOutput } from "../model-message.ts";

/** The same message with no text longer than `most`. The beginning and the end stay, and the gap is stated. */
export function shortened(message: ModelMessage, most: number): ModelMessage {
  switch (message.role) {
    case "tool":
      return {
        ...message,
        content: message.content.map((part) =>
          part.type === "tool-result" ? { ...part, output: shorterOutput(part.output, most) } : part,
        ),
      };
    case "user":
    case "system":
      return typeof message.content === "string" && message.content.length > most
        ? ({ ...message, content: headAndTail(message.content, most) } as ModelMessage)
        : message;
    case "assistant":
      return message; // a signature covers its thoughts, and its calls must match their results
  }
}

function shorterOutput(output: ToolResultOutput, most: number): ToolResultOutput {
  if (output.type === "content") return { type: "text", value: headAndTail(contentText(output.value), most) };
  if (!("value" in output)) return output;
  const text = typeof output.value === "string" ? output.value : JSON.stringify(output.value);
  if (text.length <= most) return output;
  return { type: output.type.startsWith("error") ? "error-text" : "text", value: headAndTail(text, most) };
}

export function outputText(output: ToolResultOutput): string {
  if (output.type === "content") return contentText(output.value);
  if (output.type === "execution-denied") return output.reason ?? "denied";
  return typeof output.value === "string" ? output.value : JSON.stringify(output.value);
}

function contentText(parts: readonly { readonly type: string; readonly text?: string }[]): string {
  return parts.map((part) => part.text ?? `(${part.type})`).join("\n");
}
