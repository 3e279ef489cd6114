import { Command } from "commander";
import { addSection, portOf, rangeOf } from "../options/index.ts";
import type { PageFlags } from "./open-page.ts";

export function viewCommand(): Command {
  const command = new Command("view")
    .description("Look at runs in a browser: what every agent did, live while it happens.")
    .argument("[what...]", "open this run (its id, the unique beginning of one, last, its directory), or results of capture or trials")
    .option("--port <n>", "the port to listen on; 0 takes a free one (default: 4680, or a free one)", portOf)
    .option("--host <address>", "the address to listen on; others than loopback let the network in (default: 127.0.0.1)")
    .option("--no-open", "do not open a browser")
    .option("--export <file>", "write the run as one HTML file that needs no server, and end")
    .option("--events <range>", "with --export: only these events, as in 1-5000, of a run that is too large for one file", rangeOf)
    .option("--force", "with --export: overwrite the file")
    .action(async (what: readonly string[], flags: PageFlags) => (await import("./open-page.ts")).openPage(what, flags));
  addSection(command, "Output", [
    "The first line of stdout is the address. It holds the token that lets you in, as long as the server runs.",
    "SIGINT and SIGTERM end it with exit code 0.",
  ]);
  return addSection(command, "Examples", [
    "# Everything that was recorded, until Ctrl-C:",
    "#   harness view",
    "# The last run",
    "#   harness view last",
    "# Results of an evaluation, or several to compare, also while they are written",
    "#   harness view trials.jsonl",
    "# One run as a file to keep or to send, secrets masked",
    "#   harness view last --export run.html",
  ]);
}
