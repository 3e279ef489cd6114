import type { HarnessError } from "../../pure/base/index.ts";

export const flags: ReadonlyMap<string, string> = new Map([
  ["agent", "--agent"],
  ["allow", "--allow"],
  ["allowedSigners", "--allowed-signers"],
  ["appendSystemPrompt", "--append-system-prompt"],
  ["binary", "--binary"],
  ["checkRefs", "--check-refs"],
  ["command", "--command"],
  ["commandLine", "--command"],
  ["concurrency", "-j"],
  ["deny", "--deny"],
  ["effort", "--effort"],
  ["env", "--env"],
  ["extraArgs", "arguments after --"],
  ["force", "--force"],
  ["like", "--like"],
  ["maxBudgetUsd", "--max-budget"],
  ["maxTurns", "--max-turns"],
  ["mcp", "--mcp"],
  ["model", "--model"],
  ["modelUrl", "--model-url"],
  ["permissions", "--permissions"],
  ["resume", "--resume"],
  ["resumeAt", "--at"],
  ["secrets", "--secret"],
  ["sign", "--sign"],
  ["signed", "--signed"],
  ["signers", "--signer"],
  ["systemPrompt", "--system-prompt"],
  ["where", "--where"],
  ["wire", "--wire"],
  ["wrap", "--wrap"],
]);

/** What to do, by field, if the message does not name the field. */
export const remedies: ReadonlyMap<string, string> = new Map([
  ["append", "Continue it with --append, overwrite it with --force, or choose a different file with -o."],
  ["allowMixed", "Choose a different file with -o, or mix them with --allow-mixed."],
  ["maxCostUsd", "Raise it with --max-cost, or believe the file with --trust-grades."],
  ["trustGrades", "Restore the recorded runs, overwrite the file with --force, or believe it with --trust-grades."],
  ["cwd", "Pass an existing directory with --cwd."],
  ["dataDirectory", "Set XDG_DATA_HOME to a local directory that you can write to."],
  ["install", "Pass --install to download it by npm."],
  ["judge", "Pass --judge <agent>, or --judge-url <base> and --judge-model <name>."],
  ["ledger", "Pass the file that harness model --ledger writes."],
  ["out", "Pass a different directory with --out."],
  ["output", "Choose a different file with -o."],
  ["resumeAt", 'List the nodes with "harness graph <run>".'],
  ["run", 'List the runs with "harness runs".'],
  ["workspace", "Pass an existing directory with --workspace, or --empty."],
  ["scenario", "Pass a different file, or the prompt itself with --prompt."],
]);

/** The flag of a field, or the name of the field if it has none. */
export function flagOf(field: string): string {
  return flags.get(field) ?? field;
}

/** Replaces the fields that a message of the library names in backticks by their flags. */
export function withFlags(text: string): string {
  return text.replace(/`(\w+)`/g, (whole, field: string) => flags.get(field) ?? whole);
}

/** The message of an error for the command line: with flags, and with a remedy. */
export function sentenceOf({ message, option }: HarnessError): string {
  if (option === undefined) return message;
  const named = withFlags(message);
  const remedy = named === message ? remedies.get(option) : undefined;
  return remedy === undefined ? named : `${message} ${remedy}`;
}
