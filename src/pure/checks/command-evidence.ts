import type { CommandObservedBody, Evidence } from "../events/index.ts";
import type { Numbered } from "./evidence.ts";

/** Cites commands: the command line, how it ended, and its event. */
export function commandEvidence(commands: readonly Numbered<CommandObservedBody>[]): readonly Evidence[] {
  return commands.map(({ seq, body }) => ({ source: "commands", excerpt: `${body.argv.join(" ")} (${endOf(body)})`, events: [seq] }));
}

export function endOf({ exitCode, signal }: CommandObservedBody): string {
  if (signal !== null) return signal;
  return exitCode === null ? "exit unknown" : `exit ${exitCode}`;
}
