import { Command } from "commander";
import { adapterCheckCommand } from "./commands/adapter-check.ts";
import { adapterScaffoldCommand } from "./commands/adapter-scaffold.ts";
import { agentsCommand } from "./commands/agents.ts";
import { balanceCommand } from "./commands/balance.ts";
import { bundleCommand } from "./commands/bundle.ts";
import { calibrateCommand } from "./commands/calibrate.ts";
import { captureCommand } from "./commands/capture.ts";
import { checkCommand } from "./commands/check.ts";
import { compareCommand } from "./commands/compare.ts";
import { completeCommand } from "./commands/complete.ts";
import { completionCommand } from "./commands/completion.ts";
import { configCommand } from "./commands/config.ts";
import { conformanceCommand } from "./commands/conformance.ts";
import { demoCommand } from "./commands/demo.ts";
import { deriveCommand } from "./commands/derive.ts";
import { gradeCommand } from "./commands/grade.ts";
import { graphCommand } from "./commands/graph.ts";
import { helpCommand } from "./commands/help.ts";
import { modelCommand } from "./commands/model.ts";
import { observeCommand } from "./commands/observe.ts";
import { preferCommand } from "./commands/prefer.ts";
import { replayCommand } from "./commands/replay.ts";
import { runCommand } from "./commands/run.ts";
import { schemasCommand } from "./commands/schemas.ts";
import { sessionsCommand } from "./commands/sessions.ts";
import { summarizeCommand } from "./commands/summarize.ts";
import { trialsCommand } from "./commands/trials.ts";
import { validateRefsCommand } from "./commands/validate-refs.ts";
import { verifyCommand } from "./commands/verify.ts";
import { viewCommand } from "./commands/view.ts";
import { watchCommand } from "./commands/watch.ts";
import { exitCodes } from "./exit-codes.ts";
import { addSection, columns, complaint } from "./help.ts";

/** The whole command line. `writeOut` receives the help that was asked for; complaints go to stderr. */
export function createProgram(writeOut: (text: string) => void): Command {
  const program = new Command("harness")
    .description("Turns what coding agents print into normalized views.")
    .version(HARNESS_VERSION, "-V, --version", "print the version")
    .usage("<command> [options]")
    .enablePositionalOptions(); // else the value of an option, such as a prompt that says --version, would be one of ours
  addSection(program, "Examples", [
    "# What the agent did: readable in a terminal, one JSON object per line in a pipe",
    "harness derive fixtures/claude/full/raw.jsonl --agent claude",
    "# How its run went, in one object",
    "harness derive fixtures/claude/full/raw.jsonl --agent claude --view result",
    "# From a pipe",
    "cat fixtures/codex/full/raw.jsonl | harness derive - --agent codex --view stream",
  ]);
  addSection(program, "Exit codes", columns(exitCodes));
  program.addCommand(runCommand());
  program.addCommand(observeCommand());
  program.addCommand(deriveCommand());
  program.addCommand(replayCommand());
  program.addCommand(graphCommand());
  program.addCommand(checkCommand());
  program.addCommand(verifyCommand());
  program.addCommand(bundleCommand());
  program.addCommand(sessionsCommand());
  program.addCommand(viewCommand());
  program.addCommand(watchCommand());
  program.addCommand(captureCommand());
  program.addCommand(trialsCommand());
  program.addCommand(summarizeCommand());
  program.addCommand(gradeCommand());
  program.addCommand(compareCommand());
  program.addCommand(preferCommand());
  program.addCommand(validateRefsCommand());
  program.addCommand(calibrateCommand());
  program.addCommand(balanceCommand());
  program.addCommand(adapterCheckCommand());
  program.addCommand(adapterScaffoldCommand());
  program.addCommand(agentsCommand());
  program.addCommand(configCommand());
  program.addCommand(modelCommand());
  program.addCommand(conformanceCommand());
  program.addCommand(demoCommand());
  program.addCommand(schemasCommand());
  program.addCommand(completionCommand());
  program.addCommand(helpCommand());
  program.addCommand(completeCommand(), { hidden: true });
  settle(program, writeOut);
  return program;
}

/** What holds for every command, also for those that were added whole and so inherit nothing. */
function settle(command: Command, writeOut: (text: string) => void): void {
  command
    .exitOverride()
    .helpCommand(false)
    .helpOption("-h, --help", "show this help")
    .configureOutput({ writeOut, outputError: (message, write) => write(complaint(message, command)) });
  for (const child of command.commands) settle(child, writeOut);
}
