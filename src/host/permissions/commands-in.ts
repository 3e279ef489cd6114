import { partsOf } from "../../pure/base/index.ts";
import { programsIn, simpleCommands } from "../../pure/shell/index.ts";

/**
 * Every command in a command line, for rules that deny: the line, its parts, and each program however it is started (`if … then rm x`,
 * `sudo rm x`, `bash -c 'rm x'`, `/bin/rm x`).
 */
export function commandsIn(line: string): readonly string[] {
  const programs = (simpleCommands(line) ?? []).flatMap((argv) => [argv, ...programsIn(argv)]);
  return [...new Set([line, ...partsOf(line), ...programs.map((argv) => argv.join(" "))])];
}
