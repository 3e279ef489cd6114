import { Command } from "commander";
import { addSection } from "../options/index.ts";

/** At the top, and under `sessions`, where it began: the same command. */
export function verifyCommand(): Command {
  const command = new Command("verify")
    .description("Check that a recording or an observation is what was sealed, and what its bytes give. Exit code 1: it is not.")
    .argument("<target>", "a run (its id, the unique beginning of one, last, its directory), an observation, its events.jsonl, or a bundle")
    .option("--agent <id>", "who reads it: an agent, or the file of your own, in place of the one that is recorded")
    .option("--allowed-signers <file>", "an observation must be signed by one of these: see ALLOWED SIGNERS in ssh-keygen(1)")
    .option("--json", "one JSON object, also in a terminal")
    .action(async (name: string, flags) => (await import("./verify-named.ts")).verifyNamed(name, flags));
  return addSection(command, "Examples", [
    "harness verify last",
    "#   harness verify runs/20261115-072930-4f3a9c --allowed-signers signers",
  ]);
}
