import { Command } from "commander";
import { addSection, explain, RUN } from "../options/index.ts";

export function bundleCommand(): Command {
  const command = new Command("bundle")
    .description("Pack a run into one archive")
    .argument("<run>", `${RUN}; or its observation`)
    .option("-o, --output <file>", "write here (default: ./<run id>.tar)")
    .option("--force", "overwrite an existing file")
    .action(async (name: string, flags) => (await import("./bundle-run.ts")).bundleRun(name, flags));
  explain(command, 'The archive holds the recording, the observation and its signature. "harness verify" checks it on any machine.');
  return addSection(command, "Examples", [`harness bundle last --output "$(mktemp -d)/run.tar"`, "#   harness verify run.tar"]);
}
