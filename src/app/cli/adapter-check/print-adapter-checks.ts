import { printable } from "../../../pure/base/index.ts";
import { type AdapterCheck, checkAdapter } from "../../../work/evaluate/index.ts";
import { colors, inTerminal, say, setExitCode, write } from "../../terminal/index.ts";

export interface AdapterCheckFlags {
  readonly prompt: string;
  readonly timeout: number;
  readonly json?: true;
}

export async function printAdapterChecks(command: readonly string[], { prompt, timeout, json }: AdapterCheckFlags): Promise<void> {
  const { run, checks } = await checkAdapter(command, { prompt, timeoutMs: timeout });
  const asJson = json ?? !inTerminal();
  for (const check of checks) await write(asJson ? `${JSON.stringify(check)}\n` : shown(check));
  say(`recorded as ${run}`);
  if (checks.some(({ ok }) => ok === false)) setExitCode(1);
}

function shown({ id, ok, detail }: AdapterCheck): string {
  const mark = ok === null ? colors.dim("–") : ok ? colors.green("✓") : colors.red("✗");
  return `${mark} ${id.padEnd(16)} ${printable(detail)}\n`;
}
