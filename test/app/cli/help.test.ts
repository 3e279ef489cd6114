import { join } from "node:path";
import type { Command } from "commander";
import { describe, expect, test, vi } from "vitest";
import { kindOf, kinds } from "../../../src/app/cli/completion/kinds.ts";
import { createProgram } from "../../../src/app/cli/program.ts";

vi.stubGlobal("HARNESS_VERSION", "1.2.3");

const script = join(import.meta.dirname, "../../../scripts/lexicon.mjs");
const { lexicon } = (await import(script)) as { lexicon: readonly (readonly [pattern: RegExp, instead: string])[] };

let written = "";
const program = createProgram((text) => {
  written += text;
});

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function allOf(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(allOf)];
}

function helpOf(command: Command): string {
  written = "";
  command.outputHelp();
  return written;
}

const commands = allOf(program).map((command) => [pathOf(command), command] as const);

describe.each(commands)("%s --help", (path, command) => {
  const help = helpOf(command);

  test("fits 80 columns", () => {
    expect(help).toContain(`Usage: ${path} `);
    expect(help.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  test("describes the command with a verb and an object", () => {
    expect(command.description()).toMatch(/^[A-Z][a-z]+,? \S.*[^.]$/);
    expect(command.description().length).toBeLessThanOrEqual(60);
  });

  test("has no empty defaults, and no word that docs/words.md rejects", () => {
    expect(help).not.toMatch(/default: (?:\[\]|"|undefined|true|false)/);
    const found = help
      .split("\n")
      .flatMap((line) => lexicon.filter(([pattern]) => pattern.test(line)).map(([, instead]) => [line, instead]));
    expect(found).toEqual([]);
  });
});

test("every option and argument that takes a value has a kind or choices", () => {
  const missing = commands.flatMap(([path, command]) =>
    [...command.options.filter(({ required, optional }) => required || optional), ...command.registeredArguments]
      .filter((item) => item.argChoices === undefined && !Object.hasOwn(kinds, kindOf(item) ?? ""))
      .map((item) => `${path} <${kindOf(item)}>`),
  );
  expect(missing).toEqual([]);
});

test("commands stand in named groups", () => {
  const headings = [...helpOf(program).matchAll(/^(\w[\w ]*):$/gm)].map(([, heading]) => heading);
  const groups = ["Run and watch", "Read recordings", "Check", "Evaluate", "Agents and models", "Set up"];
  expect(headings).toEqual(["Options", ...groups, "Examples", "Exit codes"]);
});

test.each(["capture", "trials", "summarize", "validate-refs", "adapter:check"])("%s: the help says what the name means", (name) => {
  const command = program.commands.find((each) => each.name() === name);
  expect(command && helpOf(command)).toContain("pecification 004");
});
