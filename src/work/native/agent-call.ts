import type { Budget } from "./budget.ts";
import type { ContextOptions } from "./context/index.ts";
import type { ModelMessage } from "./model-message.ts";
import type { AgentPermissions } from "./permissions.ts";
import type { ProviderCall } from "./provider-harness.ts";
import type { Step } from "./step.ts";
import type { Tools } from "./tool.ts";
import type { ToolState } from "./tool-context.ts";
import type { ToolHooks } from "./tool-hooks.ts";

/** One task for an agent. */
export interface AgentCall extends Omit<ProviderCall, "tools" | "mayNotCall" | "mustCall"> {
  readonly tools?: Tools;
  /** The names of tools that only read, and may run in parallel, in addition to ours that do. Others run one after the other. */
  readonly parallelTools?: readonly string[];
  /** Default: every call needs approval. */
  readonly permissions?: AgentPermissions | undefined;
  /** How many times to call the model before it must write a summary. Default: 50. */
  readonly maxIterations?: number;
  /** Asked before each model call: messages of the user that came meanwhile. */
  readonly steering?: () => readonly string[];
  /** The model's context window, and how much of a full one is kept. */
  readonly context?: ContextOptions;
  /** Ends the run when it is used up. Subagents share it. */
  readonly budget?: Budget;
  /** The form of the final answer: a zod schema, a Standard Schema, or the AI SDK's. The model gives it by calling `final_answer`. */
  readonly output?: unknown;
  /** Ends the run after a step with calls; `stepCountIs` and `hasToolCall` of the AI SDK fit. If there are several, one is enough. */
  readonly stopWhen?: StopCondition | readonly StopCondition[];
  /** Changes one model call: its model, system prompt, messages or tools. */
  readonly prepareStep?: (about: StepPlan) => StepChange | undefined | PromiseLike<StepChange | undefined>;
  /** What tools remember, such as the shell's directory. A session passes the same one each time. Default: nothing. */
  readonly state?: ToolState;
  /** Around each tool call. */
  readonly hooks?: ToolHooks;
}

/** Steps as the AI SDK's conditions read them. */
export type StopCondition = (about: { readonly steps: Step[] }) => boolean | PromiseLike<boolean>;

export interface StepPlan {
  readonly steps: readonly Step[];
  readonly stepNumber: number;
  readonly messages: readonly ModelMessage[];
}

export interface StepChange {
  readonly model?: ProviderCall["model"];
  readonly system?: string;
  /** For this call only. */
  readonly messages?: readonly ModelMessage[];
  /** The names of the tools that the model may call now. */
  readonly activeTools?: readonly string[];
}
