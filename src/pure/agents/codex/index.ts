export { codex } from "./agent.ts";
