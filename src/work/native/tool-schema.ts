import type { FlexibleSchema, Schema } from "ai";
import { errorWords } from "../../pure/base/index.ts";
import type { SdkCall } from "./language-model.ts";
import type { OfferedTools, Tool } from "./tool.ts";

const SCHEMA = Symbol.for("vercel.ai.schema"); // the SDK's mark of a schema that needs no conversion

export async function offeredTools(tools: OfferedTools): Promise<NonNullable<SdkCall["tools"]>> {
  return await Promise.all(
    Object.entries(tools).map(async ([name, { description, inputSchema, providerOptions }]) => ({
      type: "function" as const,
      name,
      ...(description !== undefined && { description }),
      inputSchema: await (await schemaOf(inputSchema)).jsonSchema,
      ...(providerOptions !== undefined && { providerOptions }),
    })),
  );
}

/** A call's input, parsed by the tool's schema, or what is wrong with it. */
export async function checkedInput(tool: Tool, input: unknown): Promise<{ readonly value: unknown } | { readonly flaw: string }> {
  try {
    const { validate } = await schemaOf(tool.inputSchema);
    const checked = await validate?.(input);
    if (checked === undefined) return { value: input };
    return checked.success ? { value: checked.value } : { flaw: errorWords(checked.error) };
  } catch (error) {
    return { flaw: errorWords(error) };
  }
}

/** The SDK converts schemas of zod and others, and is loaded only for them. */
async function schemaOf(given: Tool["inputSchema"]): Promise<Schema> {
  if (typeof given === "object" && given !== null && SCHEMA in given) return given as unknown as Schema;
  return (await import("ai")).asSchema(given as FlexibleSchema);
}
