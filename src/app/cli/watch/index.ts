import { Command } from "commander";
import { addSection, columns } from "../options/index.ts";
import type { WatchFlags } from "./watch-runs.ts";

export function watchCommand(): Command {
  const command = new Command("watch")
    .description("Watch the runs that are going on: in a terminal a full screen, in a pipe one JSON object per change.")
    .argument("[run]", "only this one: its id, the unique beginning of one, last, or its directory; in a pipe until it is over")
    .option("--json", "one JSON object per change, also in a terminal")
    .action(async (name: string | undefined, flags: WatchFlags) => (await import("./watch-runs.ts")).watchRuns(name, flags));
  addSection(
    command,
    "Keys",
    columns([
      ["Enter, Space", "open a run; open or close a step: its input, its output"],
      ["j k, arrows, PgUp PgDn, Home End", "move"],
      ["/ n N", "search, next, previous"],
      ["f", "follow what comes, or stop to"],
      ["q, Esc", "back, and out"],
      ["?", "all keys"],
    ]),
  );
  return addSection(command, "Examples", [
    "# All of them, until you leave with q",
    "#   harness watch",
    "# One, to its end",
    "harness run --agent generic --command 'echo {prompt}' --prompt 'Hello.' --view result",
    "harness watch last --json",
  ]);
}
