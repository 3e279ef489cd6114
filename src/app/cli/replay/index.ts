import { Command } from "commander";
import { addSection, addShownOptions, speedOf } from "../options/index.ts";
import type { ReplayFlags } from "./replay-run.ts";

export function replayCommand(): Command {
  const command = addShownOptions(
    new Command("replay")
      .description("Show a recorded run again, at the pace at which it happened.")
      .argument("<run>", "its id, the unique beginning of one, last, or its directory")
      .option("--speed <factor>", "so many times as fast; max does not wait at all", speedOf, 1)
      .option("--agent <id>", "who reads it: an agent, or the file of your own, in place of the one that is recorded"),
  ).action(async (name: string, flags: ReplayFlags) => {
    const { replayRun } = await import("./replay-run.ts");
    await replayRun(name, flags);
  });
  return addSection(command, "Examples", [
    "# A run to look at again",
    "harness run --agent generic --command 'echo {prompt}' --prompt 'Hello.' --view result",
    "harness replay last --speed 4",
    "harness replay last --speed max --view activity",
  ]);
}
