import { CommanderError } from "commander";
import { exitCode, report, USAGE, write } from "../terminal/index.ts";
import { createProgram } from "./program.ts";

/** Runs one command line. It sets the exit code: `process.exit` would lose output that is not written yet. */
export async function main(args: readonly string[]): Promise<void> {
  process.stdout.on("error", ignore); // each write reports its own failure
  process.stderr.on("error", ignore); // there is no place left to report it
  process.on("uncaughtException", (error) => process.exit(report(error)));
  process.exitCode = await run(args).catch(report);
}

async function run(args: readonly string[]): Promise<number> {
  let help = ""; // written below, so that a failing write is awaited
  const program = createProgram((text) => {
    help += text;
  });
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) return USAGE; // commander has printed the message
  }
  if (help !== "") await write(help);
  return exitCode();
}

function ignore(): void {}
