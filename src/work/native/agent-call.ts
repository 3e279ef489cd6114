import type { AgentPermissions } from "./permissions.ts";
import type { ProviderCall } from "./provider-harness.ts";
import type { Tools } from "./tool.ts";

/** One task for an agent. */
export interface AgentCall extends Omit<ProviderCall, "tools" | "mayNotCall"> {
  readonly tools?: Tools;
  /** The names of tools that only read, and may run in parallel, in addition to ours that do. Others run one after the other. */
  readonly parallelTools?: readonly string[];
  /** Default: every call needs approval. */
  readonly permissions?: AgentPermissions | undefined;
  /** How many times to call the model before it must write a summary. Default: 50. */
  readonly maxIterations?: number;
  /** Asked before each model call: messages of the user that came meanwhile. */
  readonly steering?: () => readonly string[];
}
