import { Command } from "commander";
import { addSection, explain, paragraph, portOf, rangeOf } from "../options/index.ts";
import type { PageFlags } from "./open-page.ts";

export function viewCommand(): Command {
  const command = new Command("view")
    .description("Open the web page with all runs")
    .argument("[input...]", "a run to open, or result files of capture or trials")
    .option("--port <port>", "the port to listen on; 0 takes a free one (default: 4680, or a free one)", portOf)
    .option("--host <address>", "the address to listen on; any but loopback opens the page to the network (default: 127.0.0.1)")
    .option("--no-open", "do not open a browser")
    .option("--export <file>", "write the run as one HTML file that needs no server, then exit")
    .option("--events <range>", "with --export: only these events, such as 1-5000", rangeOf)
    .option("--force", "with --export: overwrite the file")
    .action(async (inputs: readonly string[], flags: PageFlags) => (await import("./open-page.ts")).openPage(inputs, flags));
  explain(command, "Serves the page on this machine until you press Ctrl-C. It shows every run, live ones too.");
  addSection(
    command,
    "Output",
    paragraph(
      "The first line on stdout is the address. Its token grants access while the server runs. SIGINT and SIGTERM end the server with exit code 0.",
    ),
  );
  return addSection(command, "Examples", [
    "# Open the list of all runs, or the last run:",
    "#   harness view",
    "#   harness view last",
    "# Open the results of an evaluation, even while it runs:",
    "#   harness view trials.jsonl",
    "# Save one run as a file to keep or send, with secrets masked",
    `harness view last --export "$(mktemp -d)/run.html"`,
  ]);
}
