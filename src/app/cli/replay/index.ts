import { Command } from "commander";
import { addSection, addShownOptions, explain, RUN, speedOf } from "../options/index.ts";
import type { ReplayFlags } from "./replay-run.ts";

export function replayCommand(): Command {
  const command = addShownOptions(
    new Command("replay")
      .description("Play a recorded run again at its original pace")
      .argument("<run>", `${RUN}; or a session log (*.ndjson)`)
      .option("--speed <factor>", "play this many times as fast; max does not wait", speedOf, 1)
      .option("--agent <agent>", "read the recording as this agent, an id or your own agent file"),
  ).action(async (name: string, flags: ReplayFlags) => (await import("./replay-run.ts")).replayRun(name, flags));
  explain(command, "Prints the same records as the live run did. Nothing is run again.");
  return addSection(command, "Examples", [
    "harness run --command 'echo {prompt}' --prompt 'Hello.' --view result",
    "harness replay last --speed 4",
    "harness replay last --speed max --view activity",
  ]);
}
