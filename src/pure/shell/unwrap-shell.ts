import type { Script } from "unbash";
import { readArgument } from "./argument.ts";
import { programName } from "./program-name.ts";

export const SHELLS: ReadonlySet<string> = new Set(["bash", "sh", "zsh", "dash", "ksh"]);

/**
 * The script inside `bash -lc '…'`, if that is the whole command. Options may be separate (`bash -l -c x`), bundled, or have values
 * (`-euo pipefail`). Undefined if arguments follow the script: they would be its `$0` and `$1`.
 */
export function unwrapShell(outer: Script): string | undefined {
  const [statement, ...others] = outer.commands;
  const command = statement?.command;
  if (command?.type !== "Command" || others.length > 0 || statement?.background) return undefined;
  if (command.prefix.length > 0 || command.redirects.length > 0 || !SHELLS.has(programName(command.name?.text ?? "") ?? ""))
    return undefined;
  const words = command.args;
  let at = 0;
  let isScript = false;
  while (/^[-+]./.test(words[at]?.text ?? "")) {
    const option = words[at]?.text ?? "";
    if (!/^(?:[-+][a-zA-Z]+|--(?:login|norc|noprofile|posix|noediting))$/.test(option)) return undefined;
    if (/^-[a-zA-Z]*c/.test(option)) isScript = true;
    at += /^[-+][a-zA-Z]*[oO]/.test(option) ? 2 : 1;
  }
  const script = words[at];
  if (!isScript || script?.type !== "Word" || at !== words.length - 1) return undefined;
  // If the outer shell still has to expand the text, the inner shell gets a different one.
  const { value, variable, splits } = readArgument(script);
  return variable || splits ? undefined : value;
}
