import type { Command } from "commander";

/** Arguments for the agent stand after `--`. One in front of it is a mistake, most likely a prompt without its option. */
export function afterDashes(args: readonly string[], self: Command): readonly string[] {
  let root = self;
  while (root.parent !== null) root = root.parent;
  const typed: readonly string[] = (root as Command & { rawArgs: string[] }).rawArgs;
  const dashes = typed.indexOf("--");
  const after = dashes === -1 ? 0 : typed.length - dashes - 1;
  if (args.length > after)
    self.error(`error: unexpected argument "${args[0]}". Pass the prompt with --prompt, and arguments for the agent's CLI after --.`);
  return args;
}
