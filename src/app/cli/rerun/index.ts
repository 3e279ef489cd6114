import { Command, Option } from "commander";
import { addAgentOptions, addSection, afterDashes, countOf, definitions, explain, paragraph, RUN } from "../options/index.ts";
import type { RerunFlags } from "./run-again.ts";

export function rerunCommand(): Command {
  const command = addAgentOptions(
    new Command("rerun")
      .description("Run a recorded agent again, with its recorded model")
      .argument("<run>", RUN)
      .argument("[args...]", "after --: passed to the agent's CLI unchanged")
      .optionsGroup("Comparison:")
      .option("--workspace <dir>", "the files with which the run began; they are copied")
      .option("--lenient", "answer a request that differs like the most similar recorded one (default: stop there)")
      .addOption(new Option("--speed <speed>", "how fast the recorded answers come").choices(["max", "recorded"]).default("max"))
      .option("--from <turn>", "from this request on, ask the agent's own model", countOf)
      .option("--json", "print the result as one JSON object"),
  ).action(async (run: string, args: string[], flags: RerunFlags, self: Command) =>
    (await import("./run-again.ts")).runAgain(run, flags, afterDashes(args, self)),
  );
  explain(
    command,
    "Each request is compared with the recorded ones, without ids, times and paths, and gets the recorded answer. The run must have been recorded with --wire.",
  );
  addSection(
    command,
    "Safety",
    paragraph(
      "The program, its arguments and its variables come from your settings and options, never from the recording. The agent is sealed, unless --isolate names a different level, and works on a copy of its files.",
    ),
  );
  addSection(
    command,
    "Exit codes",
    definitions([
      [0, "exact: every request is equal, and so are the agent's texts and the final files"],
      [1, "not exact; with --from: the run did not complete"],
      [2, "wrong usage, or the run cannot be run again"],
    ]),
  );
  return addSection(command, "Examples", [
    "# Record a run with the model's side, then run it again:",
    "#   harness observe --wire --isolate sealed --agent claude --prompt 'Go.'",
    "#   harness rerun last",
    "# Repeat the first two requests, then ask the model itself:",
    "#   harness rerun last --from 3",
  ]);
}
