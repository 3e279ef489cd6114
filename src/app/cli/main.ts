import { CommanderError } from "commander";
import { exitCode, INTERNAL, report, USAGE, write } from "../terminal/index.ts";
import { createProgram } from "./program.ts";

/** Runs one command line. The exit code is set, never forced: `process.exit` would cut off output that is still on its way. */
export async function main(args: readonly string[]): Promise<void> {
  process.stdout.on("error", ignore); // each write reports its own failure
  process.stderr.on("error", ignore); // nobody is left to tell
  process.on("uncaughtException", (error) => {
    report(error);
    process.exit(INTERNAL);
  });
  process.exitCode = await run(args).catch(report);
}

async function run(args: readonly string[]): Promise<number> {
  let help = ""; // kept back, because a failing write must be waited for like any other
  const program = createProgram((text) => {
    help += text;
  });
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) return USAGE; // the sentence has been printed
  }
  if (help !== "") await write(help);
  return exitCode();
}

function ignore(): void {}
