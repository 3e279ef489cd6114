import type { Command } from "commander";
import { pathOf, type Section, sectionsOf } from "./options/index.ts";
import { createProgram } from "./program.ts";

/** What the help of a command says, as data: docs/cli.md is made of it. */
export interface Description {
  readonly path: string;
  readonly usage: string;
  readonly description: string;
  readonly arguments: readonly Term[];
  readonly options: readonly Term[];
  readonly sections: readonly Section[];
}

interface Term {
  readonly term: string;
  readonly description: string;
}

/** The program, and every command that the help shows. */
export function descriptions(): readonly Description[] {
  return describe(createProgram(() => {}));
}

function describe(command: Command): readonly Description[] {
  const help = command.createHelp();
  const self = {
    path: pathOf(command),
    usage: help.commandUsage(command),
    description: command.description(),
    arguments: help.visibleArguments(command).map((item) => ({ term: item.name(), description: help.argumentDescription(item) })),
    options: help.visibleOptions(command).map((item) => ({ term: item.flags, description: help.optionDescription(item) })),
    sections: sectionsOf(command),
  };
  return [self, ...help.visibleCommands(command).flatMap(describe)];
}
