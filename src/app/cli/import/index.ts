import { Command } from "commander";
import { addSection, collected, explain, timeOf } from "../options/index.ts";

export function importCommand(): Command {
  const command = new Command("import")
    .description("Record sessions that agents keep on disk")
    .argument("[agent-or-path...]", "agents, or files and directories to read instead of the usual places")
    .option("--since <time>", "only sessions that changed since: 12h, 30d, 2026-11-01", timeOf)
    .option("--project <dir>", "only sessions of this directory, or of one below it")
    .option("--secret <NAME>", "also mask the value of this variable; may be repeated", collected, [])
    .option("--dry-run", "list the sessions without importing any")
    .option("--json", "print one JSON object per session, even in a terminal")
    .action(async (names: string[], flags) => (await import("./import-history.ts")).importHistory(names, flags));
  explain(
    command,
    "Each session becomes a run: it can be listed, derived, verified and opened in the page. Importing again adds only what is new. The stores are only read.",
  );
  return addSection(command, "Examples", [
    "#   harness import --dry-run",
    "#   harness import claude --since 30d",
    "#   harness import codex ~/backup/.codex/sessions",
  ]);
}
