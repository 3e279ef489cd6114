import { Command } from "commander";
import { exitCodes } from "../terminal/index.ts";
import { adapterCheckCommand } from "./adapter-check/index.ts";
import { adapterScaffoldCommand } from "./adapter-scaffold/index.ts";
import { agentsCommand } from "./agents/index.ts";
import { balanceCommand } from "./balance/index.ts";
import { bundleCommand } from "./bundle/index.ts";
import { calibrateCommand } from "./calibrate/index.ts";
import { captureCommand } from "./capture/index.ts";
import { checkCommand } from "./check/index.ts";
import { compareCommand } from "./compare/index.ts";
import { completeCommand, completionCommand } from "./completion/index.ts";
import { configCommand } from "./config/index.ts";
import { conformanceCommand } from "./conformance/index.ts";
import { demoCommand } from "./demo/index.ts";
import { deriveCommand } from "./derive/index.ts";
import { gradeCommand } from "./grade/index.ts";
import { graphCommand } from "./graph/index.ts";
import { helpCommand } from "./help/index.ts";
import { modelCommand } from "./model/index.ts";
import { observeCommand } from "./observe/index.ts";
import { addSection, columns, complaint } from "./options/index.ts";
import { preferCommand } from "./prefer/index.ts";
import { replayCommand } from "./replay/index.ts";
import { runCommand } from "./run/index.ts";
import { runsCommand } from "./runs/index.ts";
import { schemasCommand } from "./schemas/index.ts";
import { summarizeCommand } from "./summarize/index.ts";
import { trialsCommand } from "./trials/index.ts";
import { validateRefsCommand } from "./validate-refs/index.ts";
import { verifyCommand } from "./verify/index.ts";
import { viewCommand } from "./view/index.ts";
import { watchCommand } from "./watch/index.ts";

/** The whole command line. `writeOut` receives the help that was asked for; complaints go to stderr. */
export function createProgram(writeOut: (text: string) => void): Command {
  const program = new Command("harness")
    .description("Turns what coding agents print into normalized views.")
    .version(HARNESS_VERSION, "-V, --version", "print the version")
    .usage("<command> [options]")
    .enablePositionalOptions(); // else the value of an option, such as a prompt that says --version, would be one of ours
  addSection(program, "Examples", [
    "# A run to begin with: our own agent on a scripted model",
    "harness demo --speed max",
    "# What the agent did: readable in a terminal, one JSON object per line in a pipe",
    "harness derive last",
    "# How its run went, in one object",
    "harness derive last --view result",
    "# The same for an agent that is installed here:",
    "#   harness run --agent claude --prompt 'Fix the failing test.'",
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
  program.addCommand(runsCommand());
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
