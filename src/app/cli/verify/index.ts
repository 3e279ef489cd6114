import { Command } from "commander";
import { addSection, collected, explain, listed } from "../options/index.ts";

/** Also available as `runs verify`. */
export function verifyCommand(): Command {
  const command = new Command("verify")
    .description("Check that a recording is intact")
    .argument("<target>", "a run (id, unique prefix, last, directory), an observation, its events.jsonl, or a bundle")
    .option("--agent <agent>", "read the recording as this agent, an id or your own agent file")
    .option("--allowed-signers <file>", "require a signature by one of these: see ALLOWED SIGNERS in ssh-keygen(1)")
    .option("--signer <name>", "of the allowed signers, only this one counts (repeatable)", collected, [])
    .option("--signed <parts>", "what must be signed: run, observation (default: both, if the run was observed)", listed)
    .option("--json", "print one JSON object, even in a terminal")
    .action(async (name: string, flags) => (await import("./verify-named.ts")).verifyNamed(name, flags));
  explain(
    command,
    "Checks every hash since the run was sealed, derives the views again from the bytes, and recomputes what the events of an observation claim from the evidence next to them. Exit code 1: something differs.",
  );
  return addSection(command, "Examples", [
    "harness verify last",
    "#   harness verify runs/20261115-072930-4f3a9c --allowed-signers signers",
  ]);
}
