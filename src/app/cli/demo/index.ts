import { Command } from "commander";
import { addSection, speedOf } from "../options/index.ts";

export function demoCommand(): Command {
  const command = new Command("demo")
    .description("Let our own agent work on a small task, live, with a scripted model. Needs no account, no other agent and no network.")
    .option("--speed <factor>", "so many times as fast; max does not wait at all", speedOf, 1)
    .action(async ({ speed }: { speed: number }) => {
      const { runDemo } = await import("./run-demo.ts");
      await runDemo(speed);
    });
  return addSection(command, "Examples", ["harness demo --speed max"]);
}
