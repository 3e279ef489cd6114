import { Command } from "commander";
import { addSection, explain, speedOf } from "../options/index.ts";

export function demoCommand(): Command {
  const command = new Command("demo")
    .description("Watch a complete run without an account or network")
    .option("--speed <factor>", "run this many times as fast; max does not wait", speedOf, 1)
    .action(async ({ speed }: { speed: number }) => (await import("./run-demo.ts")).runDemo(speed));
  explain(command, "The built-in agent works on a small task in a temporary directory. Only its model is scripted.");
  return addSection(command, "Examples", ["harness demo --speed max"]);
}
