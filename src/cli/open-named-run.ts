import { type OpenedRun, openRun } from "../recorder/open-run.ts";
import { type DataDirectory, dataDirectory } from "../store/data-directory.ts";
import { findRun } from "../store/find-run.ts";
import type { Damage } from "../store/run-reader.ts";
import { say } from "./report.ts";

export function ourData(): DataDirectory {
  return dataDirectory(process.env);
}

/** The run of that name. One that had to be completed is said to have been. */
export async function openNamedRun(name: string): Promise<OpenedRun> {
  return openAndTell(findRun(ourData(), name));
}

export async function openAndTell(directory: string): Promise<OpenedRun> {
  const run = await openRun(directory);
  if (run.repaired) {
    const { id, sealed } = run.manifest;
    const details = sealed?.repairs?.length ? `: ${sealed.repairs.join("; ")}` : "";
    say(`the run ${id} had not been finished by its recorder; it is completed and sealed now${details}`);
  }
  if (run.unfinished !== undefined) say(run.unfinished);
  return run;
}

/** On stderr: which records cannot be read. The bytes they spoke of are shown all the same. */
export function tellDamage(directory: string): (damages: readonly Damage[]) => void {
  return (damages) => {
    const [first] = damages;
    if (first === undefined) return;
    const others = damages.length === 1 ? "" : `, and ${damages.length - 1} more`;
    const where = first.line === 0 ? `byte ${first.offset}` : `line ${first.line} (byte ${first.offset})`;
    say(`${directory}/${first.file} is damaged at ${where}: ${first.problem}${others}; the rest is shown`);
  };
}
