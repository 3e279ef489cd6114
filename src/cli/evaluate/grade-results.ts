import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HarnessError } from "../../core/errors.ts";
import { regraded } from "../../eval/grade-results.ts";
import { findGraders } from "../../eval/graders/find-grader.ts";
import { readResults } from "../../eval/results/read-results.ts";
import { dataDirectory } from "../../store/data-directory.ts";
import type { GradeFlags } from "../commands/grade.ts";
import { setExitCode } from "../exit-code.ts";
import { onStopSignals } from "../signals.ts";
import { outputFile } from "./output-file.ts";

/** `harness grade` */
export async function gradeResults(path: string, { grader: names, graderTimeout, output, force }: GradeFlags): Promise<void> {
  const grader = findGraders(names, { timeoutMs: graderTimeout });
  if (grader === undefined)
    throw new HarnessError("usage", "Say how to grade with -g: a module, an executable, or exact, contains, regex, ….");
  const out = outputFile(output, force === true);
  const scratch = mkdtempSync(join(tmpdir(), "harness-grade-"));
  const stop = new AbortController();
  const signals = onStopSignals(() => stop.abort());
  try {
    for (const { line } of readResults(path)) {
      if (stop.signal.aborted) break;
      await out.write(
        `${JSON.stringify(await regraded(line, grader, { data: dataDirectory(process.env), scratch, signal: stop.signal }))}\n`,
      );
    }
  } finally {
    await out.close();
    rmSync(scratch, { recursive: true, force: true });
    const bySignal = signals.done();
    if (bySignal !== undefined) setExitCode(bySignal);
  }
}
