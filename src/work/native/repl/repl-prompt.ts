import { whole } from "../../../pure/base/index.ts";
/** The system prompt of a model that works by writing programs. */
export function replPrompt(mayExec: boolean, maySub: boolean): string {
  return [
    "You answer a question by writing JavaScript programs that are run for you, one per turn, in a console that keeps its variables.",
    "Write each program in one fenced block marked ```js. You are shown what it printed; then you write the next one.",
    "What a program finds there:",
    "- context: what the question is about (a text, or data). It may be far too large to print: look at its size, search it, cut it up.",
    "- print(...values): what you want to see. Long output is cut off.",
    "- llm_query(prompt): asks a language model and returns its answer as a text. It sees nothing but the prompt. Pass a list of prompts to ask all in parallel and get a list of answers.",
    ...(maySub
      ? ["- sub_rlm(prompt, context): the same for a larger part of the question: it works as you do, with its own console and context."]
      : []),
    ...(mayExec ? ["- exec(command): runs a shell command in the workspace, if permitted; returns {output, exitCode}."] : []),
    '- FINAL(answer): your final answer. FINAL_VAR("name"): the value of that variable is the final answer.',
    "There are no files, no network, no modules and no timers. Do not guess what you can compute or look up. When you know the answer, call FINAL.",
  ].join("\n");
}

/** The question, with the kind and size of the context. */
export function questionOf(prompt: string, context: unknown): string {
  if (context === undefined || context === null) return prompt;
  const text = typeof context === "string" ? context : JSON.stringify(context);
  const kind =
    typeof context === "string" ? "a text" : Array.isArray(context) ? `a list of ${context.length}` : `of type ${typeof context}`;
  return `${prompt}\n\n(context is ${kind}, ${whole(text.length)} characters.)`;
}

/** The default for how many characters of a program's output the model sees. */
export const SHOWN = 20_000;

/** What the model sees of a finished program. */
export function outputText(stdout: string, error: string | undefined, isCut: boolean, shown: number): string {
  const half = Math.floor(shown / 2);
  const text =
    stdout.length <= shown ? stdout : `${stdout.slice(0, half)}\n… (${stdout.length - shown} characters left out)\n${stdout.slice(-half)}`;
  return [
    text === "" ? "It printed nothing." : `It printed:\n${text}`,
    isCut ? "(It printed more than could be kept.)" : "",
    error === undefined ? "" : `It failed: ${error}`,
  ]
    .filter((part) => part !== "")
    .join("\n");
}

export const NO_CODE =
  "There was no program in your answer. Write one in a block marked ```js, or give your final answer with FINAL(answer).";
export const SUM_UP = "You have used all your turns: no more programs will run. Give your best answer now, in plain language.";
export const NEW_CONSOLE = "(This is a new console: everything your programs declared is gone.)";
