import { askDecision } from "../../../host/permissions/index.ts";
import { errorWords } from "../../../pure/base/index.ts";
import type { HarnessEventOf, RelayAnswer } from "../../../pure/events/index.ts";
import { type AgentPermissions, permissionDesk } from "../permissions.ts";
import { levelPermissions, refusalAt } from "./level-permissions.ts";
import type { ProgramOptions } from "./read-options.ts";

/** The rules of a run without a user, and the answers to its relays. */
export interface Unattended {
  readonly permissions: AgentPermissions;
  answer(relay: HarnessEventOf<"relay">): Promise<RelayAnswer>;
}

/**
 * The permission level decides. With a socket, every call becomes a relay and the run is asked about it first; if that fails, the call is
 * denied.
 */
export function unattended({ permissions: level, allow, deny, decisions }: ProgramOptions, cwd: string): Unattended {
  const permissions = { ...levelPermissions(level, allow, deny), root: cwd };
  const refusal: RelayAnswer = { decision: "deny", reason: refusalAt(level) };
  const own = permissionDesk(permissions);
  const refusalOf = ({ tool, params, directory }: HarnessEventOf<"relay">): RelayAnswer => {
    const judged = own.decide(tool, params, directory);
    return judged.decision === "ask" && judged.reason !== undefined ? { decision: "deny", reason: judged.reason } : refusal;
  };
  if (decisions === undefined) return { permissions, answer: async (relay) => refusalOf(relay) };
  return {
    permissions: { deny: permissions.deny, root: cwd },
    async answer(relay) {
      const { tool, params, toolCallId, directory = cwd } = relay;
      try {
        const asked = await askDecision(decisions, { tool_name: tool, tool_input: params, tool_use_id: toolCallId, cwd: directory });
        return asked ?? (own.decide(tool, params, directory).decision === "allow" ? "once" : refusalOf(relay));
      } catch (error) {
        return { decision: "deny", reason: `No decision could be obtained: ${errorWords(error)}.` };
      }
    },
  };
}
