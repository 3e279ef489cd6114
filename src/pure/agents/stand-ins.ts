import type { Agent } from "../pipeline/index.ts";
import { acp } from "./acp/index.ts";
import { generic } from "./generic/index.ts";
import { native } from "./native/index.ts";

/** They run and read an unknown command: `anyCommand` one that prints, `anyPartner` one that speaks ACP. */
export const anyCommand: Agent = generic;
export const anyPartner: Agent = acp;

/** The agent that is always installed. */
export const ownAgent: Agent = native;
