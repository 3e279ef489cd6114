import type { SdkCall } from "./language-model.ts";
import type { ModelMessage } from "./model-message.ts";

type Prompt = SdkCall["prompt"];
type Said = Prompt[number];

/** The conversation in the form of an SDK model. Our conversations have no files, images or approvals. */
export function promptOf(messages: readonly ModelMessage[], system?: string): Prompt {
  const prompt: Said[] = system === undefined || system === "" ? [] : [{ role: "system", content: system }];
  for (const said of messages.map(saidOf)) {
    const before = prompt.at(-1);
    if (said.role === "user" && before?.role === "user") prompt.splice(-1, 1, joined(before, said));
    else if (said.content.length > 0) prompt.push(said);
  }
  return prompt;
}

type FromUser = Extract<Said, { readonly role: "user" }>;

/** The templates of some models require the two roles to alternate. */
function joined(first: FromUser, second: FromUser): FromUser {
  const text = [...first.content, ...second.content].map((part) => (part.type === "text" ? part.text : "")).join("\n\n");
  return { ...first, ...second, content: [{ type: "text", text }] };
}

function saidOf(message: ModelMessage): Said {
  const { providerOptions } = message;
  switch (message.role) {
    case "system":
      return { role: "system", content: message.content, providerOptions };
    case "user": {
      const { content } = message;
      const parts = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
      return { role: "user", content: parts.filter((part) => part.type === "text"), providerOptions };
    }
    case "assistant": {
      const { content } = message;
      const parts = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
      return {
        role: "assistant",
        content: parts.flatMap((part) => (part.type === "text" || part.type === "reasoning" || part.type === "tool-call" ? [part] : [])),
        providerOptions,
      };
    }
    case "tool":
      return {
        role: "tool",
        content: message.content.flatMap((part) => (part.type === "tool-result" ? [part as never] : [])),
        providerOptions,
      };
  }
}
