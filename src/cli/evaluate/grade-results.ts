import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { regraded } from "../../eval/grade-results.ts";
import { readResults } from "../../eval/results/read-results.ts";
import { dataDirectory } from "../../store/data-directory.ts";
import type { GradeFlags } from "../commands/grade.ts";
import { setExitCode } from "../exit-code.ts";
import { onStopSignals } from "../signals.ts";
import { neededGrader } from "./grader-of.ts";
import { outputFile } from "./output-file.ts";

/** `harness grade` */
export async function gradeResults(path: string, flags: GradeFlags): Promise<void> {
  const grader = await neededGrader(flags);
  const out = outputFile(flags.output, flags.force === true);
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
