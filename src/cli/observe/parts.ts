import { watchCommands } from "../../observe/commands/watch-commands.ts";
import type { Parts } from "../../observe/start-observation.ts";

/** Stands in until checks are made. */
export const parts: Parts = { watchCommands, evaluate: async () => [] };
