import { Command } from "commander";
import { addSection, ageOf, countOf } from "../options/index.ts";
import { verifyCommand } from "../verify/index.ts";

const RUN = "its id, the unique beginning of one, last, or its directory";

export function runsCommand(): Command {
  const runs = new Command("runs").alias("sessions").description("The runs that were recorded.");
  runs.addCommand(listCommand(), { isDefault: true });
  runs.addCommand(showCommand());
  runs.addCommand(pathCommand());
  runs.addCommand(verifyCommand());
  runs.addCommand(rmCommand());
  runs.addCommand(pruneCommand());
  return addSection(runs, "Examples", ["harness runs", "harness runs list --agent native --json"]);
}

function listCommand(): Command {
  const command = new Command("list")
    .description("List them, newest first.")
    .option("--agent <id>", "only those of this agent")
    .option("--status <status>", "only those that ended so, or are running")
    .option("--tag <text>", "only those with this tag")
    .option("-n, --limit <n>", "not more than so many", countOf)
    .option("--json", "one JSON object per line, also in a terminal")
    .action(async (flags) => (await import("./list-runs.ts")).listRuns(flags));
  return addSection(command, "Examples", ["harness runs list --limit 5", "harness runs list --status completed --json"]);
}

function showCommand(): Command {
  const command = new Command("show")
    .description("Show what is known of one run.")
    .argument("<run>", RUN)
    .option("--json", "its run.json, also in a terminal")
    .action(async (name: string, flags) => (await import("./show-run.ts")).showRun(name, flags));
  return addSection(command, "Examples", ["harness runs show last"]);
}

function pathCommand(): Command {
  const command = new Command("path")
    .description("Print where a run is kept, or where all of them are.")
    .argument("[run]", RUN)
    .option("--stream", "the file of its unified stream, in place of its directory")
    .action(async (name: string | undefined, flags) => (await import("./print-path.ts")).printPath(name, flags));
  return addSection(command, "Examples", ["harness runs path"]);
}

function rmCommand(): Command {
  const command = new Command("rm")
    .description("Delete runs, for good.")
    .argument("<run...>", RUN)
    .action(async (names: string[]) => (await import("./remove-runs.ts")).removeRuns(names));
  return addSection(command, "Examples", ["harness runs rm last"]);
}

function pruneCommand(): Command {
  const command = new Command("prune")
    .description("Delete old runs, for good. Says which; a run that goes on is left alone.")
    .option("--older-than <time>", "those that began longer ago: 12h, 30d", ageOf)
    .option("--keep <n>", "all but the newest so many", countOf)
    .option("--dry-run", "only say which")
    .action(async (flags) => (await import("./prune-runs.ts")).pruneRuns(flags));
  return addSection(command, "Examples", [
    "# All but the newest hundred",
    "harness runs prune --keep 100 --dry-run | wc -l",
    "# Those of last month and before",
    "harness runs prune --older-than 30d --dry-run | wc -l",
  ]);
}
