import type { CommandObservedBody, CommandsObservedBody } from "./event.ts";

interface Watched {
  readonly watched?: { readonly body: CommandsObservedBody };
  readonly commands: readonly { readonly body: CommandObservedBody }[];
}

/** So many commands were seen beyond those that are told one by one, which are the first: nobody may say of these that they are all. */
export function unlistedCommands({ watched, commands }: Watched): number {
  return Math.max(0, (watched?.body.observed ?? 0) - commands.length);
}
