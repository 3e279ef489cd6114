import type { CommandObservedBody, Evidence } from "../events/index.ts";
import type { Told } from "./evidence.ts";

/** Commands as they are cited: the line, how it ended, and the event that tells it. */
export function commandEvidence(commands: readonly Told<CommandObservedBody>[]): readonly Evidence[] {
  return commands.map(({ seq, body }) => ({ source: "commands", excerpt: `${body.argv.join(" ")} (${endOf(body)})`, events: [seq] }));
}

export function endOf({ exitCode, signal }: CommandObservedBody): string {
  if (signal !== null) return signal;
  return exitCode === null ? "how it ended is not known" : `exit ${exitCode}`;
}
