import type { HarnessError } from "../../pure/base/index.ts";

/** What a field of the library is called on the command line. */
export const flags: ReadonlyMap<string, string> = new Map([
  ["agent", "--agent"],
  ["allow", "--allow"],
  ["allowedSigners", "--allowed-signers"],
  ["appendSystemPrompt", "--append-system-prompt"],
  ["binary", "--binary"],
  ["command", "--command"],
  ["commandLine", "--command"],
  ["concurrency", "-j"],
  ["deny", "--deny"],
  ["env", "--env"],
  ["extraArgs", "arguments after --"],
  ["like", "--like"],
  ["maxBudgetUsd", "--max-budget"],
  ["maxTurns", "--max-turns"],
  ["mcp", "--mcp"],
  ["model", "--model"],
  ["permissions", "--permissions"],
  ["resume", "--resume"],
  ["resumeAt", "--at"],
  ["secrets", "--secret"],
  ["systemPrompt", "--system-prompt"],
  ["where", "--where"],
  ["wrap", "--wrap"],
]);

/** What to do about a field whose error does not name it. */
export const remedies: ReadonlyMap<string, string> = new Map([
  ["append", "Continue it with --append, overwrite it with --force, or choose another file with -o."],
  ["allowMixed", "Choose another file with -o, or mix them with --allow-mixed."],
  ["cwd", "Pass an existing directory with --cwd."],
  ["install", "Pass --install to download it by npm."],
  ["judge", "Pass --judge <agent>, or --judge-url <base> and --judge-model <name>."],
  ["ledger", "Pass the file that harness model --ledger writes."],
  ["out", "Pass another directory with --out."],
  ["output", "Choose another file with -o."],
  ["resumeAt", 'List the nodes with "harness graph <run>".'],
  ["run", 'List the runs with "harness runs list".'],
  ["workspace", "Pass an existing directory with --workspace, or --empty."],
  ["scenario", "Pass another file, or the request itself with --prompt."],
]);

/** The flag of a field; a field that has none is called as it is. */
export function flagOf(field: string): string {
  return flags.get(field) ?? field;
}

/** A text of the library that names fields, in backticks, for people who know flags. */
export function withFlags(text: string): string {
  return text.replace(/`(\w+)`/g, (whole, field: string) => flags.get(field) ?? whole);
}

/** An error for people at a command line: it names the flag, and what to do about it. */
export function sentenceOf({ message, option }: HarnessError): string {
  if (option === undefined) return message;
  const named = withFlags(message);
  const remedy = named === message ? remedies.get(option) : undefined;
  return remedy === undefined ? named : `${message} ${remedy}`;
}
