import { RLM } from "../../../pure/agents/index.ts";
import { agentHarness } from "../agent-harness.ts";
import { mcpTools } from "../mcp-tools.ts";
import { providerHarness } from "../provider-harness.ts";
import { readHistory } from "../read-history.ts";
import { workspaceTools } from "../workspace-tools.ts";
import type { Place, Prepared } from "./prepared.ts";
import type { ProgramOptions } from "./read-options.ts";
import { projectInstructions, systemPrompt } from "./system-prompt.ts";
import { unattended } from "./unattended.ts";

export async function prepare(options: ProgramOptions, place: Place): Promise<Prepared> {
  if (options.harness === RLM) return (await import("./prepare-rlm.ts")).prepareRlm(options, place);
  const { model, permissions: level, maxTurns, maxOutputTokens, baseUrl, mcp } = options;
  const { prompt, runId, cwd, signal } = place;
  const provider = providerHarness(baseUrl === undefined ? {} : { baseUrl });
  const alone = unattended(options, cwd);
  const { permissions } = alone;
  const limits = { ...(maxTurns !== undefined && { maxIterations: maxTurns }), ...(maxOutputTokens !== undefined && { maxOutputTokens }) };
  const { contextWindow, patience, maxTokens, maxBudgetUsd } = options;
  const common = {
    model,
    permissions,
    signal,
    ...limits,
    ...(contextWindow !== undefined && { context: { window: contextWindow } }),
    budget: { ...(maxTokens !== undefined && { tokens: maxTokens }), ...(maxBudgetUsd !== undefined && { usd: maxBudgetUsd }) },
  };
  const servers = await mcpTools(mcp, { cwd });
  const tools = { ...(await workspaceTools({ root: cwd, readOnly: level === "read-only" })), ...servers.tools };
  const before = options.history === undefined ? undefined : readHistory(options.history, options.at);
  const own = options.systemPrompt ?? systemPrompt(cwd, Object.keys(tools));
  const system = [own, projectInstructions(cwd), options.appendSystemPrompt].filter(Boolean).join("\n\n");
  const agent = agentHarness({ provider, ...(patience !== undefined && { patienceMs: patience * 1000 }) });
  const session = agent.session({ ...common, tools, system, ...(before && { messages: before.messages, parentId: before.node }) });
  return {
    events: session.send(prompt, { runId }),
    answer: (relay) => void alone.answer(relay).then((answer) => agent.resolveRelay(relay.id, answer)),
    session: { system, tools: Object.keys(tools), ...(before && { resumes: { run: before.run, node: before.node } }) },
    close: () => servers.close(),
  };
}
