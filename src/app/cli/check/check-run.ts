import { oneLine } from "../../../pure/base/index.ts";
import { type CheckResult, check } from "../../../work/observe/index.ts";
import { colors, FAILED, inTerminal, say, setExitCode, write } from "../../terminal/index.ts";

export interface CheckFlags {
  readonly policy?: string;
  readonly checks?: readonly string[];
  readonly json?: true;
}

export async function checkRun(name: string, { policy, checks, json }: CheckFlags): Promise<void> {
  const results = await check(name, { policy, checks, onNotice: say });
  if (results.some(({ status }) => status === "fail")) setExitCode(FAILED);
  const isReadable = inTerminal() && json !== true;
  for (const result of results) await write(isReadable ? rendered(result) : `${JSON.stringify(result)}\n`);
}

const COLORS = { pass: colors.green, warn: colors.yellow, fail: colors.red, unknown: colors.dim } as const;

function rendered({ id, status, message, evidence }: CheckResult): string {
  const lines = [`${COLORS[status](status.padEnd(8))}${oneLine(`${id}: ${message}`)}`];
  for (const { path, line, excerpt } of evidence.slice(0, 5)) {
    const where = [path, line].filter((part) => part !== undefined).join(":");
    lines.push(`        ${colors.dim(oneLine([where, excerpt].filter((part) => part !== undefined && part !== "").join("  ")))}`);
  }
  return `${lines.join("\n")}\n`;
}
