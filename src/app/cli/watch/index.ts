import { Command } from "commander";
import { addSection, definitions, explain, RUN } from "../options/index.ts";
import type { WatchFlags } from "./watch-runs.ts";

export function watchCommand(): Command {
  const command = new Command("watch")
    .description("Watch live runs in the terminal")
    .argument("[run]", `only ${RUN}`)
    .option("--json", "print one JSON object per change, even in a terminal")
    .action(async (name: string | undefined, flags: WatchFlags) => (await import("./watch-runs.ts")).watchRuns(name, flags));
  explain(
    command,
    "A terminal gets a full screen, a pipe one JSON object per change. With a run, the output in a pipe ends when the run ends.",
  );
  addSection(
    command,
    "Keys",
    definitions([
      ["Enter, Space", "open a run; open or close a step"],
      ["j k, arrows, PgUp PgDn", "move"],
      ["Home End", "go to the first, the last"],
      ["/ n N", "search, next match, previous match"],
      ["f", "follow new steps, or stop following"],
      ["q, Esc", "go back, or quit"],
      ["?", "show all keys"],
    ]),
  );
  return addSection(command, "Examples", [
    "# Watch all runs until you press q:",
    "#   harness watch",
    "# Print the changes of one run until it ends",
    "harness run --command 'echo {prompt}' --prompt 'Hello.' --view result",
    "harness watch last --json",
  ]);
}
