import { watchCommands } from "../../../work/observe/commands/watch-commands.ts";
import { evaluateRun } from "../../../work/observe/evaluation/evaluate-run.ts";
import type { Parts } from "../../../work/observe/start-observation.ts";

/** How an observation watches commands, and by what it judges. */
export const parts: Parts = { watchCommands, evaluate: evaluateRun };
