import type { Parts } from "../../observe/start-observation.ts";

/** Stands in until commands are watched and checks are made. */
export const parts: Parts = {
  watchCommands: async () => ({
    env: {},
    prefix: [],
    collect: async () => ({
      commands: [],
      summary: {
        type: "commands-observed",
        available: false,
        reason: "wrappers disabled",
        sources: [],
        wrapped: [],
        observed: null,
        categories: [],
      },
    }),
  }),
  evaluate: async () => [],
};
