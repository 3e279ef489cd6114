import type { Command } from "commander";

/** Words in front of `--` are a mistake: most likely a prompt without its option. */
export function afterDashes(args: readonly string[], self: Command): readonly string[] {
  let root = self;
  while (root.parent !== null) root = root.parent;
  const typed: readonly string[] = (root as Command & { rawArgs: string[] }).rawArgs;
  const dashes = typed.indexOf("--");
  const behind = dashes === -1 ? 0 : typed.length - dashes - 1;
  if (args.length > behind)
    self.error(`error: unexpected argument '${args[0]}'; give the prompt with --prompt, and the agent's own arguments behind --`);
  return args;
}
