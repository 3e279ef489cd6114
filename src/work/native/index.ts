/** Our own agents: model providers, the loop, permissions, tools, many in parallel. */

export type { AgentCall, StepChange, StepPlan, StopCondition } from "./agent-call.ts";
export { type AgentHarness, type AgentOptions, agentHarness } from "./agent-harness.ts";
export type { Budget } from "./budget.ts";
export type { ContextOptions } from "./context/index.ts";
export { type McpOptions, type McpTools, mcpTools } from "./mcp-tools.ts";
export type { ModelMessage, SaidMessage } from "./model-message.ts";
export { type Orchestrator, type OrchestratorOptions, orchestrator, type SpawnTask } from "./orchestrator.ts";
export type { AgentPermissions } from "./permissions.ts";
export { type ModelObject, type ProviderCall, type ProviderHarness, type ProviderOptions, providerHarness } from "./provider-harness.ts";
export { type RecordedTask, recordedHarness } from "./recorded-harness.ts";
export { type EngineLimits, type ReplCall, type ReplHarness, type ReplOptions, replHarness } from "./repl/index.ts";
export type { RetryOptions } from "./retry.ts";
export type { AgentSession, SessionEnd, SessionOptions } from "./session.ts";
export type { Step } from "./step.ts";
export type { SdkTools, Tool, ToolCallOptions, Tools } from "./tool.ts";
export type { HookedCall, ToolHooks } from "./tool-hooks.ts";
export type { WorkspaceToolOptions } from "./tools/index.ts";
export type { Turn } from "./turn.ts";
export { workspaceTools } from "./workspace-tools.ts";
