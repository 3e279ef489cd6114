import { Command } from "commander";
import { printable, printableJson } from "../../../pure/base/index.ts";
import { FAILED, inTerminal, setExitCode, write } from "../../terminal/index.ts";
import { addSection, columns, durationOf } from "../options/index.ts";
import type { AgentCheck, AgentCheckFlags } from "./check-agent.ts";

export function agentsCheckCommand(): Command {
  const command = new Command("check")
    .description("Say what is known of an agent, a file that describes one, or any command: its program, its keys, and what its output is.")
    .argument("[what...]", "an agent, the file of your own (a module or a schema), or a command; give its options behind --, or quote it")
    .option("--binary <path>", "look at this program, in place of the configured or installed one")
    .option("--output <file>", "what it has printed once, or - for standard input: say how much of that is understood, and by whom")
    .option("--prompt <text>", "run it with this prompt, in an empty directory, and look at what it prints")
    .option("-C, --cwd <dir>", "run it there")
    .option("--timeout <time>", "end that run after that long (60s)", durationOf)
    .option("--json", "one JSON object, also in a terminal")
    .action(run);
  return addSection(command, "Examples", [
    "# Exit code 1: not installed",
    "harness agents check claude || true",
    "# What does this command speak?",
    "harness agents check 'echo Hello.' --prompt 'Hello.'",
    "# And what has printed this?",
    `echo '{"type":"item.completed","item":{"id":"1","type":"agent_message","text":"Hi."}}' | harness agents check --output -`,
  ]);
}

async function run(what: readonly string[], flags: AgentCheckFlags): Promise<void> {
  const { checkAgent } = await import("./check-agent.ts");
  const check = await checkAgent(what, flags);
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
