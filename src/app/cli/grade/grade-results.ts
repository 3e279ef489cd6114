import { grade } from "../../../work/evaluate/index.ts";
import { withOutput } from "../../terminal/index.ts";
import { neededGraderOptions, withStopSignals } from "../evaluation/index.ts";
import type { GraderFlags } from "../options/index.ts";

export interface GradeFlags extends GraderFlags {
  readonly output?: string;
  readonly force?: true;
}

export async function gradeResults(path: string, flags: GradeFlags): Promise<void> {
  const options = await neededGraderOptions(flags);
  await withOutput(flags.output, flags.force === true, (write) =>
    withStopSignals(async (signal) => {
      for await (const line of grade(path, { ...options, signal })) await write(`${JSON.stringify(line)}\n`);
    }),
  );
}
