import { type Command, Option } from "commander";

/** What is shown of a run, and how. */
export interface ShownFlags {
  readonly view?: string;
  readonly refs?: true;
  readonly reasoning?: true;
  readonly case?: "pascal" | "snake";
  readonly json?: true;
  readonly pretty?: true;
}

export function addShownOptions(command: Command): Command {
  return command
    .option("--view <id>", "what to show: a view; default in a pipe: stream; in a terminal: an account for people")
    .option("--refs", "add seq, callId and the byte range to every record")
    .option("--reasoning", "view activity: also what the model was thinking")
    .addOption(new Option("--case <style>", "view stream: how type names are written").choices(["pascal", "snake"]))
    .option("--json", "one JSON object per line, also in a terminal")
    .addOption(new Option("--pretty", "the account for people, also in a pipe").conflicts("json"));
}
