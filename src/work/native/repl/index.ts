export type { EngineLimits } from "./engine.ts";
export { type ReplCall, type ReplHarness, type ReplOptions, replHarness } from "./repl-harness.ts";
export { outputText, replPrompt, SHOWN } from "./repl-prompt.ts";
