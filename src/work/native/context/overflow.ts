import type { Failure } from "../failure.ts";

/** How servers say that a conversation is longer than the model's context window; test/work/native/context/overflow.test.ts has each sentence. */
const SENTENCES: readonly RegExp[] = [
  /prompt is too long/i, // Anthropic
  /exceed(s|ed)? (the )?(model's )?context (limit|window|length|size)/i, // Anthropic with max_tokens, OpenAI
  /context[_ ](length|window)[_ ]exceed(s|ed)/i, // OpenAI's code, MiniMax
  /input token count.*exceeds the maximum/i, // Google
  /maximum (context|prompt) length/i, // OpenRouter, vLLM, DeepSeek, xAI
  /reduce the length of the messages/i, // Groq
  /exceeds the available context size/i, // llama.cpp
  /(greater|longer) than the (model's )?context length/i, // LM Studio
  /prompt (token count|contains) .*(exceeds the limit|too large for model)/i, // Copilot, Mistral
  /exceeded model token limit/i, // Moonshot
  /input is too long for requested model/i, // Bedrock
  /model_context_window_exceeded/i, // Z.ai and Anthropic, as a finish reason
];

/** The conversation does not fit into the model's context window. Sending it again would not help. */
export function isOverflow({ message, status }: Failure): boolean {
  if (status === 429) return false; // "too many tokens per minute" is not about one conversation
  return SENTENCES.some((sentence) => sentence.test(message));
}
