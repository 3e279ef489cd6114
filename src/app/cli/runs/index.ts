import { Command } from "commander";
import { addDefault, addSection, ageOf, countOf, explain, RUN } from "../options/index.ts";
import { verifyCommand } from "../verify/index.ts";

export function runsCommand(): Command {
  const runs = new Command("runs").alias("sessions").description("List, show and delete recorded runs");
  addDefault(runs, listCommand());
  runs.addCommand(showCommand());
  runs.addCommand(pathCommand());
  runs.addCommand(verifyCommand());
  runs.addCommand(rmCommand());
  runs.addCommand(pruneCommand());
  explain(runs, "Without a command: list. The old name, harness sessions, still works.");
  return addSection(runs, "Examples", ["harness runs", "harness runs --agent native --json", "harness runs show last"]);
}

function listCommand(): Command {
  const command = new Command("list")
    .description("List runs, the last recorded first")
    .option("--agent <agent>", "only runs of this agent")
    .option("--status <status>", "only runs with this status")
    .option("--tag <text>", "only runs with this tag")
    .option("-n, --limit <n>", "list at most n runs", countOf)
    .option("--json", "print one JSON object per line, even in a terminal")
    .action(async (flags) => (await import("./list-runs.ts")).listRuns(flags));
  return addSection(command, "Examples", ["harness runs list --limit 5", "harness runs list --status completed --json"]);
}

function showCommand(): Command {
  const command = new Command("show")
    .description("Show the facts of one run")
    .argument("<run>", RUN)
    .option("--json", "print its run.json, even in a terminal")
    .action(async (name: string, flags) => (await import("./show-run.ts")).showRun(name, flags));
  return addSection(command, "Examples", ["harness runs show last"]);
}

function pathCommand(): Command {
  const command = new Command("path")
    .description("Print the directory of a run, or of all runs")
    .argument("[run]", RUN)
    .option("--stream", "print the file with its unified stream instead")
    .action(async (name: string | undefined, flags) => (await import("./print-path.ts")).printPath(name, flags));
  return addSection(command, "Examples", ["harness runs path"]);
}

function rmCommand(): Command {
  const command = new Command("rm")
    .description("Delete runs permanently")
    .argument("<run...>", RUN)
    .action(async (names: string[]) => (await import("./remove-runs.ts")).removeRuns(names));
  return addSection(command, "Examples", ["harness runs rm last"]);
}

function pruneCommand(): Command {
  const command = new Command("prune")
    .description("Delete old runs permanently")
    .option("--older-than <age>", "delete runs that started longer ago: 12h, 30d", ageOf)
    .option("--keep <n>", "keep the n newest runs", countOf)
    .option("--dry-run", "print the ids without deleting anything")
    .action(async (flags) => (await import("./prune-runs.ts")).pruneRuns(flags));
  explain(command, "Prints the ids of the deleted runs. Live runs are never deleted.");
  return addSection(command, "Examples", [
    "# All but the newest hundred",
    "harness runs prune --keep 100 --dry-run | wc -l",
    "# Everything older than 30 days",
    "harness runs prune --older-than 30d --dry-run | wc -l",
  ]);
}
