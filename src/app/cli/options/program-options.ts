import { type Command, Option } from "commander";
import { collected } from "./option-values.ts";

/** How an agent's program is started, once or for every case of an evaluation. */
export interface ProgramFlags {
  readonly model?: string;
  readonly permissions?: "full" | "default" | "read-only";
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly mcp: readonly string[];
  readonly binary?: string;
  readonly command?: string;
  readonly like?: string;
  readonly env: readonly string[];
  readonly secret: readonly string[];
}

export function addProgramOptions(command: Command): Command {
  return command
    .option("-m, --model <name>", "the model, or a configured alias of one")
    .addOption(new Option("--permissions <level>", "what it may do without asking").choices(["full", "default", "read-only"]))
    .option("--allow <glob>", "permit calls like this: a tool, its kind, a title or a command (repeatable)", collected, [])
    .option("--deny <glob>", "refuse calls like this, whatever else permits them (repeatable)", collected, [])
    .option("--mcp <server>", "give it an MCP server: a JSON file, or name=command with its words (repeatable)", collected, [])
    .option("--binary <program>", "the agent's program, by path or name, in place of the one on PATH");
}
