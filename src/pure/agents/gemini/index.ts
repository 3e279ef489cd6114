export { failedSubagent, gemini } from "./agent.ts";
export { shellEnding } from "./fields.ts";
export { geminiStore } from "./store.ts";
