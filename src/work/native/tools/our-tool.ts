import { z } from "zod";
import type { SdkTool } from "../tool.ts";
import { contextOf, type ToolContext, type ToolState } from "../tool-context.ts";

/** The answer of one of our tools: a text for the model, and data for programs. */
export interface ToolAnswer {
  readonly context: string;
  readonly result: object;
}

interface Parts<Shape extends z.ZodRawShape> {
  readonly description: string;
  readonly shape: Shape;
  /** It changes nothing. */
  readonly onlyReads?: boolean;
  /** No rule decides about it: it only reaches what an allowed call has started. */
  readonly isOurs?: boolean;
  /** The directory in which the next call runs. */
  readonly directory?: (state: ToolState) => string;
  readonly run: (
    input: z.infer<z.ZodObject<Shape>>,
    room: { readonly signal: AbortSignal; readonly context: ToolContext },
  ) => Promise<ToolAnswer> | ToolAnswer;
}

const SCHEMA = Symbol.for("vercel.ai.schema");

/** A tool in the AI SDK's type. The SDK accepts its schema directly, so we need not load the SDK. */
export function ourTool<Shape extends z.ZodRawShape>({
  description,
  shape,
  onlyReads = false,
  isOurs,
  directory,
  run,
}: Parts<Shape>): SdkTool {
  const own: ToolState = new Map();
  const object = z.strictObject(shape);
  const { $schema: _, ...json } = z.toJSONSchema(object, { io: "input" });
  const inputSchema = {
    [SCHEMA]: true,
    jsonSchema: json,
    validate(value: unknown) {
      const parsed = object.safeParse(value);
      if (parsed.success) return { success: true, value: parsed.data };
      const known = `It takes ${Object.keys(shape).join(", ")}.`;
      return { success: false, error: new Error(`${z.prettifyError(parsed.error)}\n${known}`) };
    },
  };
  return {
    description,
    onlyReads,
    ...(isOurs !== undefined && { isOurs }),
    ...(directory !== undefined && { directory }),
    inputSchema: inputSchema as never,
    execute: async (input, { abortSignal, experimental_context }) =>
      await run(input as z.infer<typeof object>, {
        signal: abortSignal ?? new AbortController().signal,
        context: contextOf(experimental_context, own),
      }),
    toModelOutput: ({ output }) => ({ type: "text", value: (output as ToolAnswer).context }),
  };
}
