import type { Command } from "commander";
import { vi } from "vitest";
import { createProgram } from "../../src/app/cli/program.ts";

/** The names of all commands, without those that only hold others. */
export function everyCommand(): readonly string[] {
  vi.stubGlobal("HARNESS_VERSION", "1.2.3");
  return [...new Set(leavesOf(createProgram(() => {})))].sort();
}

function leavesOf(each: Command, path = ""): string[] {
  const own = each.commands.filter((inner) => inner.name() !== "help" || path === "");
  return own.flatMap((inner) => {
    const name = `${path}${inner.name()}`;
    return inner.commands.length === 0 ? [name] : leavesOf(inner, `${name} `);
  });
}
