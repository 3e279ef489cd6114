import { type Command, Option } from "commander";

export interface ShownFlags {
  readonly view?: string;
  readonly refs?: true;
  readonly reasoning?: true;
  readonly case?: "pascal" | "snake";
  readonly json?: true;
  readonly pretty?: true;
}

export function addShownOptions(command: Command, view = "the view to print (default: stream; in a terminal, readable text)"): Command {
  return command
    .optionsGroup("Output:")
    .option("--view <view>", view)
    .option("--refs", "add seq, callId and byte range to every record")
    .option("--reasoning", "view activity: include the model's reasoning")
    .addOption(new Option("--case <style>", "view stream: spelling of type names").choices(["pascal", "snake"]))
    .option("--json", "print one JSON object per line, even in a terminal")
    .addOption(new Option("--pretty", "print readable text, even in a pipe").conflicts("json"));
}
