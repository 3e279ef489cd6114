import { type LanguageModel, type ModelMessage, type ToolSet, tool } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import type { AgentCall, ModelObject, ProviderCall, SdkTools, Turn } from "../../../src/native.ts";

/** We declare our own types. The type checker confirms that inputs and outputs of these functions fit the SDK's. */
const fits = {
  messages: (messages: ModelMessage[]): ProviderCall["messages"] => messages,
  model: (model: Extract<LanguageModel, { specificationVersion: "v3" }>): ModelObject => model,
  tools: (tools: ToolSet): AgentCall["tools"] => tools,
  oneTool: () => tool({ inputSchema: z.object({ path: z.string() }), execute: ({ path }) => path.length }),
  ownTools: (tools: SdkTools): ToolSet => tools,
  said: ({ message }: Turn): ModelMessage | undefined => message,
};

test("the AI SDK's values fit here, and ours fit there", () => {
  const call: AgentCall = { model: "local/any", messages: [{ role: "user", content: "Go." }], tools: { count: fits.oneTool() } };
  expect(Object.keys(call.tools ?? {})).toEqual(["count"]);
});
