import { evaluateRun, type Parts, watchCommands } from "../../../work/observe/index.ts";

/** How an observation watches commands, and by what it judges. */
export const parts: Parts = { watchCommands, evaluate: evaluateRun };
