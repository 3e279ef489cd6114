import type { HarnessEvent } from "../events/index.ts";

/** A node is the event it came from, under the node's id; chunks with one id are one node. */
export type GraphNode = HarnessEvent & { readonly id: string };
