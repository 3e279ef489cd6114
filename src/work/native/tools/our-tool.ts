import { z } from "zod";
import type { SdkTool } from "../tool.ts";
import { contextOf, type ToolContext } from "../tool-context.ts";

/** The answer of one of our tools: a text for the model, and data for programs. */
export interface ToolAnswer {
  readonly context: string;
  readonly result: object;
}

interface Parts<Shape extends z.ZodRawShape> {
  readonly description: string;
  readonly shape: Shape;
  readonly run: (
    input: z.infer<z.ZodObject<Shape>>,
    room: { readonly signal: AbortSignal; readonly context: ToolContext },
  ) => Promise<ToolAnswer> | ToolAnswer;
}

const SCHEMA = Symbol.for("vercel.ai.schema");

/** A tool in the AI SDK's type. The SDK accepts its schema directly, so we need not load the SDK. */
export function ourTool<Shape extends z.ZodRawShape>({ description, shape, run }: Parts<Shape>): SdkTool {
  const object = z.object(shape);
  const { $schema: _, ...json } = z.toJSONSchema(object, { io: "input" });
  const inputSchema = {
    [SCHEMA]: true,
    jsonSchema: json,
    validate(value: unknown) {
      const parsed = object.safeParse(value);
      return parsed.success ? { success: true, value: parsed.data } : { success: false, error: new Error(z.prettifyError(parsed.error)) };
    },
  };
  return {
    description,
    inputSchema: inputSchema as never,
    execute: async (input, { abortSignal, experimental_context }) =>
      await run(input as z.infer<typeof object>, {
        signal: abortSignal ?? new AbortController().signal,
        context: contextOf(experimental_context),
      }),
    toModelOutput: ({ output }) => ({ type: "text", value: (output as ToolAnswer).context }),
  };
}

/** The beginning of a text that is too long, with a note about the rest. */
export function fitted(text: string, most: number, what = "more characters"): { readonly text: string; readonly isCut: boolean } {
  if (text.length <= most) return { text, isCut: false };
  return { text: `${text.slice(0, most)}\n… (${text.length - most} ${what})`, isCut: true };
}
