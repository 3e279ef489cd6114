import { pinFiles } from "../../../host/files/index.ts";
import { HarnessError } from "../../../pure/base/index.ts";
import type { PreparedGrader } from "../trial/index.ts";

/** The grader, bound to its files as they are now. It throws instead of grading with others: the agent it judges could have written them. */
export function pinnedGrader(grader: PreparedGrader): PreparedGrader {
  const pins = pinFiles(grader.files ?? []);
  const check = () => {
    const path = pins.changed();
    if (path !== undefined)
      throw new HarnessError("input", `The grader changed while it was in use: ${path} is not what it was at the start. Restore the file.`);
  };
  return {
    ...grader,
    async grade(input, signal, launcher) {
      check();
      const graded = await grader.grade(input, signal, launcher);
      check();
      return graded;
    },
  };
}
