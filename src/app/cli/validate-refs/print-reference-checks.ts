import { balance, validateRefs } from "../../../work/evaluate/index.ts";
import { say, setExitCode, withOutput } from "../../terminal/index.ts";
import { neededGraderOptions, withStopSignals } from "../evaluation/index.ts";
import type { GraderFlags } from "../options/index.ts";

export interface ValidateRefsFlags extends GraderFlags {
  readonly output?: string;
  readonly workspace?: string;
  readonly force?: true;
}

export async function printReferenceChecks(path: string, flags: ValidateRefsFlags): Promise<void> {
  const options = await neededGraderOptions(flags);
  const { cases } = balance(path);
  let [checked, wrong] = [0, 0];
  await withOutput(flags.output, flags.force === true, (write) =>
    withStopSignals(async (signal) => {
      for await (const check of validateRefs(path, { ...options, workspace: flags.workspace, signal })) {
        checked++;
        if (!check.pass) wrong++;
        await write(`${JSON.stringify(check)}\n`);
      }
    }),
  );
  say(`${checked} references: ${checked - wrong} pass, ${wrong} fail; ${cases - checked} cases have no reference`);
  if (wrong > 0 || checked === 0) setExitCode(1);
}
