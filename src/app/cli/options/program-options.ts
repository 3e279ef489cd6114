import { type Command, Option } from "commander";
import type { ResourceLimits } from "../../../host/limits/index.ts";
import { levels } from "../../../pure/isolation/index.ts";
import { collected, levelOf, resourcesOf, variableOf } from "./option-values.ts";

/** How an agent's program is started, once or for every case of an evaluation. */
export interface ProgramFlags {
  readonly model?: string;
  readonly effort?: string;
  readonly permissions?: "full" | "default" | "read-only";
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly enforce?: string;
  readonly mcp: readonly string[];
  readonly binary?: string;
  readonly command?: string;
  readonly like?: string;
  readonly env: readonly string[];
  readonly secret: readonly string[];
  readonly limit?: ResourceLimits;
  readonly isolate?: string;
  readonly network?: string;
  readonly modelUrl?: string;
  readonly wire?: true;
  readonly requireIsolation?: string;
}

export function addProgramOptions(command: Command): Command {
  return command
    .option("-m, --model <model>", "the model, or an alias from harness.toml")
    .option("--effort <effort>", "how hard the model should think, as the agent's CLI names it: low, high")
    .addOption(new Option("--permissions <level>", "what the agent may do without asking").choices(["full", "default", "read-only"]))
    .option("--allow <glob>", "allow matching calls: a tool, its kind, a title or a command (repeatable)", collected, [])
    .option("--deny <glob>", "deny matching calls, even if another rule allows them (repeatable)", collected, [])
    .option("--enforce <policy>", "decide each call by this policy file, before it runs")
    .option("--mcp <server>", "add an MCP server: a JSON file, or name=command with arguments (repeatable)", collected, [])
    .option("--binary <program>", "the agent's program, as a path or a name (default: found on PATH)")
    .option("--command <line>", "for generic and acp: the program and its arguments; generic replaces {prompt}, or writes it to stdin")
    .option("--like <agent>", "for generic and your own agents: read the output as this agent's")
    .option("--isolate <level>", "what the agent can reach: none, process, files, sealed or container:<image>", levelOf)
    .option("--network <network>", "what a sealed agent or a container can reach: model, allow:<hosts>, open or none")
    .option("--model-url <url>", "the address of a sealed or recorded agent's model, if none of its variables has it")
    .option("--wire", "record the agent's requests to its model, and the answers")
    .addOption(new Option("--require-isolation <level>", "start nothing with less than this level").choices(levels))
    .option("--env <NAME=value>", "set a variable for the agent; NAME alone passes on yours (repeatable)", variableOf, [])
    .option("--secret <NAME>", "mask the value of this variable in the recording (repeatable)", collected, [])
    .option("--limit <limits>", "what the agent may use: memory=4g, processes=200, file=1g, workspace=10g, cpu=30m", resourcesOf);
}
