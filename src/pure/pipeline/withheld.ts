import type { BodyOf, EventBody, ToolStartBody } from "../events/index.ts";

/** The agent offers its model no such tool: Claude Code, OpenCode and Kilo, Goose, Pi. Gemini CLI has a code for it, which its reader knows. */
const WITHHELD =
  /^(?:<tool_use_error>)?(?:Error: )?(?:-?\d+: )?(?:No such tool available: |Model tried to call unavailable tool |Tool '[^']*' was not advertised |Tool \S+ not found$)/;

/** Tools that write or run something, by their names in any agent: a request for one that is not offered may lack its arguments. */
const ACTS = new Set(
  `write write_file write_to_file edit edit_file multiedit notebookedit replace replace_in_file apply_patch editor text_editor
  str_replace_editor bash shell run_shell_command run_commands execute_command exec_command`.split(/\s+/),
);

/**
 * A model that asks for a tool which would write or run something, and is not offered, was denied it: a level of permissions, a mode or a
 * rule withheld it. Any other name is the model's mistake.
 */
export function denialOf(end: EventBody, start: ToolStartBody | undefined): BodyOf<"permission-decision"> | undefined {
  if (end.type !== "tool-end" || end.success !== false || start === undefined) return undefined;
  const text = end.output?.slice(0, 500);
  if (text === undefined || !WITHHELD.test(text) || !(actsByName(start.tool) || changesTheWorld(start))) return undefined;
  const { callId, tool, parent } = start;
  return { type: "permission-decision", callId, tool, decision: "deny", reason: text.split("\n", 1)[0], parent, rule: "tool-withheld" };
}

export function actsByName(tool: string): boolean {
  return ACTS.has(tool.toLowerCase());
}

/** Reading, listing and searching change nothing. A call without known operations does not count as progress. */
export function changesTheWorld(body: ToolStartBody): boolean {
  for (const { kind } of body.operations) if (kind === "write" || kind === "command") return true;
  return false;
}
