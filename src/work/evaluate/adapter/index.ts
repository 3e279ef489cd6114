export { type CheckAdapterOptions, checkAdapter } from "./check-adapter.ts";
export type { AdapterCheck } from "./judge-conversation.ts";
