/** One folder per agent: how to start it, and what each of its lines means. */

export { isAgentFile, isAgentId } from "./agent-file.ts";
export { type AgentId, agents } from "./agents.ts";
export { findAgent, knownAgent } from "./find-agent.ts";
export { NATIVE, RLM } from "./native/index.ts";
export { addedLines, plannedCall } from "./planned-call.ts";
export { asForeign, readAs } from "./read-as.ts";
export { betterAgent, DECIDING_LINES, recognize } from "./recognize.ts";
export { anyCommand, anyPartner, ownAgent } from "./stand-ins.ts";
export { fileLine, rowLine, type SessionHead, type Store, type StoreKind, type StorePlace, storeFormatId } from "./store.ts";
export { stores, unreadStores } from "./stores.ts";
