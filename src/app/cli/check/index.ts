import { Command } from "commander";
import { checks } from "../../../pure/checks/index.ts";
import { addSection, columns, words } from "../options/index.ts";
import type { CheckFlags } from "./check-run.ts";

export function checkCommand(): Command {
  const command = new Command("check")
    .description("Judge a recorded run again, by what is recorded of it: by its scenario, and by other checks. Exit code 1: one failed.")
    .argument("<run>", "its id, the unique beginning of one, last, its directory, or that of an observation")
    .option("--policy <file>", "further checks, as a file: YAML or a module")
    .option("--checks <names>", "further checks, by name, separated by commas", words)
    .option("--json", "one JSON object per line, also in a terminal")
    .action(async (name: string, flags: CheckFlags) => (await import("./check-run.ts")).checkRun(name, flags));
  addSection(command, "Checks", columns(checks.map(({ id, title }) => [id, title])));
  return addSection(command, "Examples", [
    "harness check last",
    "harness check last --checks truth.consistent,security.no_secrets",
    "#   harness check last --policy policy.yaml",
  ]);
}
