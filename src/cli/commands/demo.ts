import { Command } from "commander";
import { addSection } from "../help.ts";
import { speedOf } from "../option-values.ts";

export function demoCommand(): Command {
  const command = new Command("demo")
    .description("Play a recorded run of Claude Code through the whole path. Needs no account, no agent and no network.")
    .option("--speed <factor>", "so many times as fast as it was; max does not wait at all", speedOf, 1)
    .action(async ({ speed }: { speed: number }) => {
      const { runDemo } = await import("../actions.ts");
      await runDemo(speed);
    });
  return addSection(command, "Examples", ["harness demo --speed max"]);
}
