import { Command } from "commander";
import { exitCodes, writeAside } from "../terminal/index.ts";
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
import { evaluateCommand } from "./evaluate/index.ts";
import { gradeCommand } from "./grade/index.ts";
import { graphCommand } from "./graph/index.ts";
import { helpCommand } from "./help/index.ts";
import { importCommand } from "./import/index.ts";
import { modelCommand } from "./model/index.ts";
import { observeCommand } from "./observe/index.ts";
import { addSection, complaint, definitions, helpStyle, helpWidth } from "./options/index.ts";
import { preferCommand } from "./prefer/index.ts";
import { pricesCommand } from "./prices/index.ts";
import { replayCommand } from "./replay/index.ts";
import { rerunCommand } from "./rerun/index.ts";
import { runCommand } from "./run/index.ts";
import { runsCommand } from "./runs/index.ts";
import { schemasCommand } from "./schemas/index.ts";
import { summarizeCommand } from "./summarize/index.ts";
import { trendCommand } from "./trend/index.ts";
import { trialsCommand } from "./trials/index.ts";
import { usageCommand } from "./usage/index.ts";
import { validateRefsCommand } from "./validate-refs/index.ts";
import { verifyCommand } from "./verify/index.ts";
import { viewCommand } from "./view/index.ts";
import { watchCommand } from "./watch/index.ts";

const GROUPS: readonly (readonly [heading: string, commands: readonly (() => Command)[]])[] = [
  ["Run and watch", [runCommand, observeCommand, demoCommand, watchCommand, viewCommand, replayCommand, rerunCommand]],
  ["Read recordings", [runsCommand, importCommand, usageCommand, deriveCommand, graphCommand, bundleCommand]],
  ["Check", [checkCommand, verifyCommand]],
  [
    "Evaluate",
    [
      evaluateCommand,
      captureCommand,
      trialsCommand,
      gradeCommand,
      compareCommand,
      trendCommand,
      preferCommand,
      summarizeCommand,
      validateRefsCommand,
      calibrateCommand,
      balanceCommand,
    ],
  ],
  ["Agents and models", [agentsCommand, adapterCheckCommand, adapterScaffoldCommand, modelCommand, pricesCommand, conformanceCommand]],
  ["Set up", [configCommand, schemasCommand, completionCommand, helpCommand]],
];

/** The whole command line. `writeOut` receives the help that a user asked for; complaints go to stderr. */
export function createProgram(writeOut: (text: string) => void): Command {
  const program = new Command("harness")
    .description("Run coding agents, record them, and check what they did")
    .version(HARNESS_VERSION, "-V, --version", "print the version")
    .usage("<command> [options]")
    .enablePositionalOptions(); // so that a prompt that is "--version" stays a prompt
  addSection(program, "Examples", [
    "# Record a first run; it needs no account and no other agent",
    "harness demo --speed max",
    "# See what the agent did, and how the run ended",
    "harness derive last",
    "harness derive last --view result",
    "# Open the page with all runs:",
    "#   harness view",
    "# Run an agent that is installed here:",
    "#   harness run --agent claude --prompt 'Fix the failing test.'",
  ]);
  addSection(program, "Exit codes", definitions(exitCodes));
  for (const [heading, commands] of GROUPS) for (const command of commands) program.addCommand(command().helpGroup(`${heading}:`));
  program.addCommand(completeCommand(), { hidden: true });
  configure(program, writeOut);
  return program;
}

/** Commands that are added whole inherit nothing, so each of them is configured. */
function configure(command: Command, writeOut: (text: string) => void): void {
  command
    .exitOverride()
    .helpCommand(false)
    .optionsGroup("Options:")
    .helpOption("-h, --help", "show this help")
    .configureHelp(helpStyle)
    .showSuggestionAfterError(false) // `complaint` has its own
    .configureOutput({
      writeOut,
      outputError: (message) => writeAside(complaint(message, command)),
      getOutHelpWidth: () => helpWidth(process.stdout.columns),
      getErrHelpWidth: () => helpWidth(process.stderr.columns),
    });
  for (const child of command.commands) configure(child, writeOut);
}
