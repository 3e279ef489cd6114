import type { converse } from "./acp/index.ts";

/** Loads the ACP client. The protocol's library is large, and most agents do not need it. */
export async function loadConversation(): Promise<typeof converse> {
  return (await import("./acp/index.ts")).converse;
}
