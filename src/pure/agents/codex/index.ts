export { codex } from "./agent.ts";
export { codexStore } from "./store.ts";
