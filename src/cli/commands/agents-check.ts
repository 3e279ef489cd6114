import { Command } from "commander";
import type { Agent } from "../../core/agent.ts";
import { HarnessError } from "../../core/errors.ts";
import { setExitCode } from "../exit-code.ts";
import { FAILED } from "../exit-codes.ts";
import { addSection, columns } from "../help.ts";
import { inTerminal, write } from "../output.ts";
import { printable, printableJson } from "../printable.ts";

export function agentsCheckCommand(): Command {
  const command = new Command("check")
    .description("Say whether an agent's program is installed, where, in which version, and which of its keys are set.")
    .argument("<id>", "the agent")
    .option("--binary <path>", "look at this program, in place of the configured or installed one")
    .option("--json", "one JSON object, also in a terminal")
    .action(run);
  addSection(command, "Examples", ["# Exit code 1: not installed", "harness agents check claude || true"]);
  return command;
}

/** What is known of an agent's program on this machine. */
interface Check {
  readonly id: string;
  readonly title: string;
  readonly installed: boolean;
  readonly path: string | null;
  /** What the program says; null where it says nothing, or is not there. */
  readonly version: string | null;
  /** The version whose format was seen. */
  readonly seen: string | null;
  /** Names only: a value is never read, let alone shown. */
  readonly credentials: readonly { readonly name: string; readonly set: boolean }[];
  readonly problem: string | null;
}

async function run(id: string, { binary, json }: { binary?: string; json?: true }): Promise<void> {
  const { findAgent } = await import("../actions.ts");
  const agent = findAgent(id);
  if (agent.binaries.length === 0 && binary === undefined) {
    throw new HarnessError("usage", `${agent.title} has no program of its own to check; give one with --binary.`);
  }
  const result = await check(agent, binary);
  await write(textOf(result, json === true));
  if (!result.installed) setExitCode(FAILED);
}

async function check(agent: Agent, chosen: string | undefined): Promise<Check> {
  const { programOf, loadSettings, probeVersion } = await import("../actions.ts");
  const { path, problem } = programOf(agent, chosen ?? loadSettings().config.agents.get(agent.id)?.binary);
  const probe = path === null ? { version: null, problem } : await probeVersion(path, process.env);
  return {
    id: agent.id,
    title: agent.title,
    installed: path !== null,
    path,
    version: probe.version,
    seen: agent.seen ?? null,
    credentials: (agent.credentials ?? []).map((name) => ({ name, set: Boolean(process.env[name]) })),
    problem: probe.problem,
  };
}

function textOf(result: Check, json: boolean): string {
  if (!inTerminal()) return `${JSON.stringify(result)}\n`;
  if (json) return printableJson(`${JSON.stringify(result)}\n`);
  const rows: [string, string][] = [
    ["agent", `${result.title} (${result.id})`],
    ["installed", result.installed ? "yes" : "no"],
    ["path", result.path ?? "–"],
    ["version", result.version ?? "–"],
    ["seen", result.seen ?? "–"],
    ["keys set", named(result, true)],
    ["keys not set", named(result, false)],
    ...(result.problem === null ? [] : [["problem", result.problem] satisfies [string, string]]),
  ];
  return columns(rows.map(([name, value]) => [name, printable(value).replaceAll("\n", " ")] as const))
    .map((line) => `${line}\n`)
    .join("");
}

function named({ credentials }: Check, set: boolean): string {
  return (
    credentials
      .filter((credential) => credential.set === set)
      .map(({ name }) => name)
      .join(", ") || "–"
  );
}
