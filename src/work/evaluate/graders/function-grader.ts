import { errorWords } from "../../../pure/base/index.ts";
import type { Grader, PreparedGrader } from "../trial/index.ts";
import { readVerdict } from "./read-verdict.ts";

/** A grader passed as code, which runs in this process. */
export function functionGrader(name: string, grader: Grader, timeoutMs: number): PreparedGrader {
  return {
    name,
    needsWorkspace: true,
    async grade(input, signal) {
      const late = AbortSignal.timeout(timeoutMs);
      const isLate = new Promise<never>((_, reject) => {
        late.addEventListener("abort", () => reject(new Error(`the grader did not end within ${timeoutMs} ms`)));
      });
      try {
        return readVerdict(await Promise.race([grader(input, AbortSignal.any([signal, late])), isLate]));
      } catch (error) {
        return { error: errorWords(error) };
      }
    },
  };
}
