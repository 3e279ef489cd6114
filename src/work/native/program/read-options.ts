import { parseArgs } from "node:util";
import { NATIVE, RLM } from "../../../pure/agents/index.ts";
import { errorWords, HarnessError } from "../../../pure/base/index.ts";
import type { McpServer, Permissions } from "../../../pure/pipeline/index.ts";

/** The options of our agent, as src/pure/agents/native/agent.ts writes them. */
export interface ProgramOptions {
  readonly harness: typeof NATIVE | typeof RLM;
  readonly model: string;
  readonly permissions: Permissions;
  readonly maxTurns?: number;
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** A socket to ask about every call. */
  readonly decisions?: string;
  /** The directory of the run to resume, and a node of its graph. */
  readonly history?: string;
  readonly at?: string;
  readonly baseUrl?: string;
  /** Per answer. Default: the model's maximum as its client knows it; 4,096 for an unknown model if its protocol requires a number. */
  readonly maxOutputTokens?: number;
  /** The model's context window in tokens. */
  readonly contextWindow?: number;
  /** How many seconds to wait in total for a provider that is overloaded. */
  readonly patience?: number;
  /** Ends the run when it has used this. */
  readonly maxTokens?: number;
  readonly maxBudgetUsd?: number;
  /** For the model that writes programs: a file with the subject of the question. */
  readonly context?: string;
  readonly mcp: readonly McpServer[];
}

const LEVELS: readonly string[] = ["full", "default", "read-only"] satisfies Permissions[];

export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv): ProgramOptions {
  const values = parsed(args);
  const model = values.model ?? env["HARNESS_MODEL"];
  if (model === undefined || model === "")
    throw new HarnessError("usage", "Choose a model with --model, such as anthropic/claude-sonnet-5 or openrouter/qwen/qwen3-coder.");
  const permissions = LEVELS.includes(values.permissions) ? (values.permissions as Permissions) : "default";
  const maxTurns = countOf(values["max-turns"], "--max-turns", 50);
  const optional = {
    maxTurns,
    systemPrompt: values["system-prompt"],
    appendSystemPrompt: values["append-system-prompt"],
    decisions: values.decisions,
    history: values.history,
    at: values.at,
    baseUrl: values["base-url"],
    maxOutputTokens: countOf(values["max-output-tokens"], "--max-output-tokens", 32_000),
    contextWindow: countOf(values["context-window"], "--context-window", 32_768),
    patience: values.patience === "0" ? 0 : countOf(values.patience, "--patience", 300),
    maxTokens: countOf(values["max-tokens"], "--max-tokens", 500_000),
    maxBudgetUsd: amountOf(values["max-budget-usd"], "--max-budget-usd"),
    context: values.context,
  };
  return {
    harness: values.harness === RLM ? RLM : NATIVE,
    model,
    permissions,
    allow: values.allow,
    deny: values.deny,
    mcp: serversOf(env["HARNESS_NATIVE_MCP"]),
    ...(Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)) as Partial<typeof optional>),
  } as ProgramOptions;
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        harness: { type: "string" },
        model: { type: "string" },
        permissions: { type: "string", default: "default" },
        "max-turns": { type: "string" },
        "system-prompt": { type: "string" },
        "append-system-prompt": { type: "string" },
        allow: { type: "string", multiple: true, default: [] },
        deny: { type: "string", multiple: true, default: [] },
        decisions: { type: "string" },
        history: { type: "string" },
        at: { type: "string" },
        "base-url": { type: "string" },
        "max-output-tokens": { type: "string" },
        "context-window": { type: "string" },
        patience: { type: "string" },
        "max-tokens": { type: "string" },
        "max-budget-usd": { type: "string" },
        context: { type: "string" },
      },
    }).values;
  } catch (error) {
    throw new HarnessError("usage", errorWords(error));
  }
}

function countOf(text: string | undefined, option: string, example: number): number | undefined {
  if (text === undefined || /^[1-9]\d{0,8}$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new HarnessError("usage", `${option} takes a whole number, as in ${example}.`);
}

function amountOf(text: string | undefined, option: string): number | undefined {
  if (text === undefined || (/^\d{1,9}(\.\d{1,6})?$/.test(text) && Number(text) > 0)) return text === undefined ? undefined : Number(text);
  throw new HarnessError("usage", `${option} takes an amount, as in 2.50.`);
}

function serversOf(text: string | undefined): readonly McpServer[] {
  if (text === undefined) return [];
  try {
    return JSON.parse(text) as readonly McpServer[];
  } catch {
    throw new HarnessError("usage", "HARNESS_NATIVE_MCP is not a list of servers.");
  }
}
