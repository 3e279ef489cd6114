import { Command } from "commander";
import { printable, printableJson } from "../../../pure/base/index.ts";
import { FAILED, inTerminal, setExitCode, write } from "../../terminal/index.ts";
import { addSection, columns, durationOf, explain } from "../options/index.ts";
import type { AgentCheck, AgentCheckFlags } from "./check-agent.ts";

export function agentsCheckCommand(): Command {
  const command = new Command("check")
    .description("Check an agent's program, keys and output format")
    .argument("[agent...]", "an agent, your own agent file (a module or a schema), or a command; put its options after --, or quote it")
    .option("--binary <program>", "check this program instead of the configured or installed one")
    .option("--output <file>", "read output that was saved, or - for standard input, and report which agents understand it")
    .option("--prompt <text>", "run the agent with this prompt in an empty directory, and check what it prints")
    .option("-C, --cwd <dir>", "run it in this directory")
    .option("--timeout <time>", "stop that run after this time (default: 60s)", durationOf)
    .option("--json", "print one JSON object, even in a terminal")
    .action(run);
  explain(
    command,
    "Seen is the version of the CLI whose output format was recorded. Keys are environment variables; a login that the CLI keeps is not checked. Exit code 1: the agent is not installed.",
  );
  return addSection(command, "Examples", [
    "harness agents check claude || true",
    "# Find out which format a command prints",
    "harness agents check 'echo Hello.' --prompt 'Hello.'",
    "# Find out which agent printed this",
    `echo '{"type":"thread.started","thread_id":"1"}' |\n  harness agents check --output -`,
  ]);
}

async function run(args: readonly string[], flags: AgentCheckFlags): Promise<void> {
  const { checkAgent } = await import("./check-agent.ts");
  const check = await checkAgent(args, flags);
  await write(textOf(check, flags.json === true));
  if (check.installed === false) setExitCode(FAILED);
}

function textOf(check: AgentCheck, json: boolean): string {
  if (!inTerminal()) return `${JSON.stringify(check)}\n`;
  if (json) return printableJson(`${JSON.stringify(check)}\n`);
  return columns(rowsOf(check).map(([name, value]) => [name, printable(value).replaceAll("\n", " ")] as const))
    .map((line) => `${line}\n`)
    .join("");
}

type Row = readonly [name: string, value: string];

function rowsOf(check: AgentCheck): readonly Row[] {
  const { id, title, file, command, installed, path, version, seen, likely, credentials, problem, warnings, run } = check;
  const rows: Row[] = [];
  if (id !== undefined) rows.push(["agent", `${title} (${id})`]);
  if (file !== undefined) rows.push(["file", file]);
  if (command !== undefined) rows.push(["command", command.join(" ")]);
  if (installed !== undefined) {
    rows.push(["installed", installed ? "yes" : "no"], ["path", path ?? "–"], ["version", version ?? "–"], ["seen", seen ?? "–"]);
  }
  if (likely) rows.push(["called like", likely]);
  if (credentials !== undefined) rows.push(["keys set", named(credentials, true)], ["keys not set", named(credentials, false)]);
  if (problem) rows.push(["problem", problem]);
  if (run !== undefined)
    rows.push(["ran", `${run.status ?? "unknown"} (${run.reason ?? "–"})${run.lastWords === null ? "" : `: ${run.lastWords}`}`]);
  return [...rows, ...outputRows(check), ...warnings.map((warning): Row => ["warning", warning])];
}

function outputRows({ output }: AgentCheck): readonly Row[] {
  if (output === undefined) return [];
  return [
    ["speaks", output.speaks === null ? "no known format" : `${output.speaks} (${percent(output.share)} of ${output.lines} lines)`],
    ...output.candidates.map(({ agent, explained, share }): Row => ["understood by", `${agent}: ${explained} lines, ${percent(share)}`]),
    ...output.unknown.map(({ kind, count, sample }): Row => ["unknown", `${count} × ${kind}: ${sample}`]),
  ];
}

function percent(share: number | null): string {
  return share === null ? "–" : `${Math.floor(share * 1000) / 10} %`;
}

function named(credentials: NonNullable<AgentCheck["credentials"]>, set: boolean): string {
  return (
    credentials
      .filter((credential) => credential.set === set)
      .map(({ name }) => name)
      .join(", ") || "–"
  );
}
