import { Command } from "commander";
import { checks } from "../../../pure/checks/index.ts";
import { addSection, definitions, explain, listed, RUN } from "../options/index.ts";
import type { CheckFlags } from "./check-run.ts";

export function checkCommand(): Command {
  const command = new Command("check")
    .description("Check a recorded run against rules")
    .argument("<run>", `${RUN}; or the directory of an observation`)
    .option("--policy <file>", "add the checks of this file: YAML or a module")
    .option("--checks <checks>", "add these checks, separated by commas", listed)
    .option("--json", "print one JSON object per line, even in a terminal")
    .action(async (name: string, flags: CheckFlags) => (await import("./check-run.ts")).checkRun(name, flags));
  explain(command, "Applies the run's scenario, and the checks you add, to the recording. Exit code 1: a check failed.");
  addSection(command, "Checks", definitions(checks.map(({ id, title }) => [id, title])));
  return addSection(command, "Examples", [
    "harness check last",
    "harness check last --checks truth.consistent,security.no_secrets",
    "#   harness check last --policy policy.yaml",
  ]);
}
