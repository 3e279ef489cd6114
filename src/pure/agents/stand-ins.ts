import type { Agent } from "../pipeline/index.ts";
import { acp } from "./acp/index.ts";
import { generic } from "./generic/index.ts";
import { native } from "./native/index.ts";

/** Who runs and reads a command that is nobody's we know: one that prints, and one that is spoken with. */
export const anyCommand: Agent = generic;
export const anyPartner: Agent = acp;

/** The one that is always installed. */
export const ownAgent: Agent = native;
