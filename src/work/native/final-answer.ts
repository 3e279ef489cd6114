import type { Tool, Tools } from "./tool.ts";

export const FINAL_ANSWER = "final_answer";

export const GIVE_ANSWER = `Give your answer by calling ${FINAL_ANSWER}.`;

/** A tool whose arguments are the answer of a run, in the form that its caller wants. */
export function finalAnswer(schema: unknown): { readonly tools: Tools; readonly answer: () => { readonly value: unknown } | undefined } {
  let answer: { readonly value: unknown } | undefined;
  const tool: Tool = {
    description: "Gives the final answer of the task. Call it once, when everything else is done.",
    inputSchema: schema,
    isOurs: true,
    execute: (value) => {
      answer = { value };
      return { context: "The answer was accepted.", result: null };
    },
  };
  return { tools: { [FINAL_ANSWER]: tool }, answer: () => answer };
}
