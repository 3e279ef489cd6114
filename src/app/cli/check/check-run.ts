import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import colors from "picocolors";
import { agentOfRun, eventsOfRun } from "../../../host/recording/index.ts";
import { oneLine, parseObject } from "../../../pure/base/index.ts";
import type { CheckBody } from "../../../pure/events/index.ts";
import { evaluateRun } from "../../../work/observe/index.ts";
import { FAILED, inTerminal, setExitCode, write } from "../../terminal/index.ts";
import { openNamedRun, tellDamage } from "../options/index.ts";

export interface CheckFlags {
  readonly policy?: string;
  readonly checks?: readonly string[];
  readonly json?: true;
}

/** `harness check`: every verdict on a line of its own. */
export async function checkRun(name: string, { policy, checks, json }: CheckFlags): Promise<void> {
  const { manifest, directory } = await openNamedRun(runOf(name));
  const events = eventsOfRun(manifest, directory, await agentOfRun(manifest), { onDamage: tellDamage(directory) });
  const verdicts = await evaluateRun({
    events,
    directory,
    constraints: [],
    ...(policy !== undefined && { policy }),
    ...(checks !== undefined && { checks }),
  });
  if (verdicts.some(({ status }) => status === "fail")) setExitCode(FAILED);
  const isReadable = inTerminal() && json !== true;
  for (const { type: _, ...verdict } of verdicts) await write(isReadable ? rendered(verdict) : `${JSON.stringify(verdict)}\n`);
}

/** An observation's own directory names its run. */
function runOf(name: string): string {
  const metadata = join(name, "metadata.json");
  if (existsSync(join(name, "run.json")) || !existsSync(metadata)) return name;
  const id = parseObject(readFileSync(metadata, "utf8"))?.["run_id"];
  return typeof id === "string" ? id : name;
}

const COLORS = { pass: colors.green, warn: colors.yellow, fail: colors.red, unknown: colors.dim } as const;

function rendered({ id, status, message, evidence }: Omit<CheckBody, "type">): string {
  const lines = [`${COLORS[status](status.padEnd(8))}${oneLine(`${id}: ${message}`)}`];
  for (const { path, line, excerpt } of evidence.slice(0, 5)) {
    const where = [path, line].filter((part) => part !== undefined).join(":");
    lines.push(`        ${colors.dim(oneLine([where, excerpt].filter((part) => part !== undefined && part !== "").join("  ")))}`);
  }
  return `${lines.join("\n")}\n`;
}
