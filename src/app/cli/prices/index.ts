import { Command } from "commander";
import { addSection, amountOf } from "../options/index.ts";
import type { SetFlags } from "./prices-actions.ts";

export function pricesCommand(): Command {
  const command = new Command("prices").description("Show and override what models cost").helpCommand(false);
  const show = new Command("show")
    .description("Show the rates of models, or your own rates")
    .argument("[models...]", "models as agents name them (default: your own rates)")
    .option("--json", "print one JSON object per line, even in a terminal")
    .action(async (models: string[], flags: { json?: true }) => (await import("./prices-actions.ts")).showPrices(models, flags));
  const set = new Command("set")
    .description("Use your own rates for a model")
    .argument("<model>", "the model as agents name it")
    .requiredOption("--input <usd>", "US dollars per million tokens of input", amountOf)
    .requiredOption("--output <usd>", "US dollars per million tokens of output", amountOf)
    .option("--cache-read <usd>", "of input that was read from a cache (default: as input)", amountOf)
    .option("--cache-write <usd>", "of input that was written to a cache (default: as input)", amountOf)
    .action(async (model: string, flags: SetFlags) => (await import("./prices-actions.ts")).setPrice(model, flags));
  const remove = new Command("remove")
    .description("Remove your own rates of a model")
    .argument("<model>", "the model")
    .action(async (model: string) => (await import("./prices-actions.ts")).removePrice(model));
  command.addCommand(show, { isDefault: true }).addCommand(set).addCommand(remove);
  return addSection(command, "Examples", [
    "harness prices claude-sonnet-4-5 gpt-5",
    "# Your own model:",
    "#   harness prices set my-model --input 0.5 --output 2",
  ]);
}
