import type { Command } from "commander";
import { exitCodes } from "../terminal/index.ts";
import { explanationOf, pathOf, type Section, sectionsOf } from "./options/index.ts";
import { createProgram } from "./program.ts";

/** The help of a command as data, for docs/reference/cli. */
export interface Description {
  readonly path: string;
  /** The heading of its group in `harness --help`; empty for the program itself. */
  readonly group: string;
  readonly usage: string;
  readonly description: string;
  readonly explanation: string;
  readonly aliases: readonly string[];
  readonly arguments: readonly Term[];
  readonly options: readonly Term[];
  readonly sections: readonly Section[];
}

interface Term {
  readonly term: string;
  readonly description: string;
}

export { exitCodes };

/** The program, and every command that the help shows. */
export function descriptions(): readonly Description[] {
  return describe(
    createProgram(() => {}),
    "",
  );
}

function describe(command: Command, group: string): readonly Description[] {
  const help = command.createHelp();
  const self = {
    path: pathOf(command),
    group,
    usage: help.commandUsage(command),
    description: command.description(),
    explanation: explanationOf(command),
    aliases: command.aliases(),
    arguments: help.visibleArguments(command).map((item) => ({ term: item.name(), description: help.argumentDescription(item) })),
    options: help.visibleOptions(command).map((item) => ({ term: item.flags, description: help.optionDescription(item) })),
    sections: sectionsOf(command),
  };
  return [self, ...help.visibleCommands(command).flatMap((child) => describe(child, group || child.helpGroup().replace(/:$/, "")))];
}
