import { either, exactly, object, type Static, text } from "../../../pure/base/index.ts";

/** A change of the workspace before a trial starts: something laid over it, or left out of it. `path` is relative to the workspace. */
export const workspaceLayer = either(exactly(object({ path: text, from: text })), exactly(object({ remove: text })));
export type WorkspaceLayer = Static<typeof workspaceLayer>;
