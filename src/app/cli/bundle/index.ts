import { Command } from "commander";
import { addSection } from "../options/index.ts";

export function bundleCommand(): Command {
  const command = new Command("bundle")
    .description("Write a run as one archive: recording, observation, signature. Verify it anywhere.")
    .argument("<run>", "its id, the unique beginning of one, last, or its directory")
    .option("-o, --output <file>", "where it goes; default: ./<run id>.tar")
    .action(async (name: string, flags) => (await import("./bundle-run.ts")).bundleRun(name, flags));
  return addSection(command, "Examples", [`harness bundle last --output "$(mktemp -d)/run.tar"`, "#   harness verify run.tar"]);
}
