import { nothing } from "../../base/index.ts";
import { runSummary, type View } from "../../pipeline/index.ts";
import { RESULT_VERSION, type RunResult } from "./schema.ts";

export const result: View<RunResult> = {
  id: "result",
  title: "The outcome of the run: one object",
  open() {
    const run = runSummary();
    return {
      push(event) {
        run.see(event);
        if (event.body.type !== "run-end") return nothing;
        return [{ schemaVersion: RESULT_VERSION, ...run.summary() }];
      },
      end: () => nothing,
    };
  },
};
