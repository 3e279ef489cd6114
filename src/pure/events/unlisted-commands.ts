import type { CommandObservedBody, CommandsObservedBody } from "./event.ts";

interface Watched {
  readonly watched?: { readonly body: CommandsObservedBody };
  readonly commands: readonly { readonly body: CommandObservedBody }[];
}

/** How many commands were observed but not recorded one by one. If above 0, a list of the recorded ones is incomplete. */
export function unlistedCommands({ watched, commands }: Watched): number {
  return Math.max(0, (watched?.body.observed ?? 0) - commands.length);
}
