export { cline } from "./agent.ts";
export { clineStore } from "./store.ts";
