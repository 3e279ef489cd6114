import { constants } from "node:os";
import { InvalidArgumentError } from "commander";

/** `--exit-code 143` */
export function exitCodeOf(value: string): number {
  if (/^\d{1,3}$/.test(value) && Number(value) <= 255) return Number(value);
  throw new InvalidArgumentError("An exit code is a whole number from 0 to 255.");
}

/** `--signal SIGTERM`, `--signal term`, `--signal 15` → `SIGTERM` */
export function signalOf(value: string): string {
  const signals = Object.entries(constants.signals);
  const name = value.toUpperCase().replace(/^(?:SIG)?/, "SIG");
  const found = signals.find(([known, number]) => known === name || (/^\d+$/.test(value) && number === Number(value)));
  if (found !== undefined) return found[0];
  throw new InvalidArgumentError("A signal is a name or a number, as in SIGTERM, TERM or 15.");
}
