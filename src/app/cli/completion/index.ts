import { Argument, Command } from "commander";
import { write } from "../../terminal/index.ts";
import { addSection } from "../options/index.ts";

export function completionCommand(): Command {
  const command = new Command("completion")
    .description("Print a completion script for your shell")
    .addArgument(new Argument("<shell>", "your shell").choices(["bash", "zsh", "fish"]))
    .action(run);
  addSection(command, "Examples", ["harness completion bash", "harness completion zsh", "harness completion fish"]);
  return addSection(command, "Install", [
    "bash  echo 'source <(harness completion bash)' >> ~/.bashrc",
    "zsh   echo 'source <(harness completion zsh)' >> ~/.zshrc  # after compinit",
    "fish  harness completion fish > ~/.config/fish/completions/harness.fish",
  ]);
}

async function run(shell: "bash" | "zsh" | "fish"): Promise<void> {
  const { scripts } = await import("./scripts.ts");
  await write(scripts[shell]);
}

export { completeCommand } from "./complete-command.ts";
