import { RLM } from "../../pure/agents/index.ts";
import { isObject, numberOf, spelled, stringOf } from "../../pure/base/index.ts";
import { nodeIdsOf } from "../../pure/conversation/index.ts";
import type { HarnessEvent, ToolOutput } from "../../pure/events/index.ts";
import { summaryMessage } from "./context/index.ts";
import type { ModelMessage, SaidPart, ToolResultOutput, ToolResultPart } from "./model-message.ts";
import { outputText, SHOWN } from "./repl/index.ts";

/** One answer of the model, with the results of its calls. */
interface Answer {
  readonly texts: Map<string, string>;
  readonly calls: Map<string, { readonly name: string; readonly input: unknown }>;
  readonly results: Map<string, ToolResultOutput>;
  failed: boolean;
}

/** The summary that replaced everything before it except the latest messages. */
interface Compaction {
  readonly summary: string;
  readonly kept: number;
}

/**
 * Rebuilds what an agent's model saw from the run's events, up to and including a node of that agent. Leaves out the model's reasoning,
 * because only the provider that signed it accepts it. A call without a result gets one that says so. `before` has the messages of the
 * runs that it continued.
 */
export function conversationOf(
  events: readonly HarnessEvent[],
  at?: string,
  before: (runId: string) => readonly ModelMessage[] = () => [],
): { readonly messages: readonly ModelMessage[]; readonly runId: string } | undefined {
  const last = at === undefined ? events.length - 1 : nodeIdsOf(events).lastIndexOf(at);
  const end = events[last];
  if (end === undefined) return undefined;
  const seen = events.slice(0, last + 1);
  const runs = readRuns(seen);
  const asked = runs.models.get(end.runId);
  const runId = at === undefined ? runs.first : asked === undefined ? end.runId : (runs.programs.get(asked) ?? asked);
  return runId === undefined ? undefined : { messages: messagesOf(seen, runId, runs, end.runId, before(runId)), runId };
}

interface Runs {
  readonly first: string | undefined;
  /** For each run that calls a model: its owner, an agent's run or a program. */
  readonly models: ReadonlyMap<string, string>;
  /** For each program: the run that wrote it. */
  readonly programs: ReadonlyMap<string, string>;
  /** The runs that write programs. */
  readonly writers: ReadonlySet<string>;
}

function readRuns(events: readonly HarnessEvent[]): Runs {
  const starts = events.filter((event) => event.type === "harness_start");
  const isModel = ({ agent }: (typeof starts)[number]) => agent === "provider";
  return {
    first: starts.find((start) => !isModel(start))?.runId,
    models: new Map(starts.filter(isModel).map(({ runId, parentId = "" }) => [runId, parentId])),
    programs: new Map(events.flatMap((event) => (event.type === "repl_input" ? [[event.id, event.runId] as const] : []))),
    writers: new Set(starts.filter(({ agent }) => agent === RLM).map(({ runId }) => runId)),
  };
}

function messagesOf(
  events: readonly HarnessEvent[],
  runId: string,
  { models, writers }: Runs,
  last: string,
  before: readonly ModelMessage[],
): readonly ModelMessage[] {
  const order: (string | Answer | Compaction)[] = [];
  const answers = new Map<string, Answer>();
  let latest: Answer | undefined;
  for (const event of events) {
    const own = event.runId === runId;
    const model = models.get(event.runId) === runId ? event.runId : undefined;
    if (own && event.type === "user") order.push(textOf(event.content));
    if (own && event.type === "compaction") order.push({ summary: textOf(event.content), kept: numberOf(event.kept) ?? 0 });
    if (own && event.type === "repl_output")
      order.push(outputText(textOf(event.stdout), stringOf(event.error), event.truncated === true, SHOWN));
    if (own && event.type === "text") order.push(`Your answer was: ${textOf(event.content)}`);
    if (model !== undefined && !answers.has(model)) {
      latest = { texts: new Map(), calls: new Map(), results: new Map(), failed: false };
      answers.set(model, latest);
      order.push(latest);
    }
    if (model !== undefined && event.type === "text") {
      const { texts } = answers.get(model) as Answer;
      texts.set(event.id, (texts.get(event.id) ?? "") + textOf(event.content));
    }
    if (model !== undefined && event.type === "harness_end" && event.reason === "error" && model !== last)
      (answers.get(model) as Answer).failed = true;
    if (!own || latest === undefined || writers.has(runId)) continue; // the model learns the results of a program's calls from the program's output
    if (event.type === "tool_call") latest.calls.set(spelled(event.id), { name: textOf(event.name), input: event.input });
    if (event.type === "tool_result") {
      const id = spelled(event.id);
      if (!latest.calls.has(id)) latest.calls.set(id, { name: textOf(event.name), input: event.input ?? {} });
      latest.results.set(id, outputOf(event.output as ToolOutput));
    }
  }
  let messages: ModelMessage[] = [...before];
  for (const each of order) {
    if (typeof each === "string") messages.push({ role: "user", content: each });
    else if ("summary" in each) messages = [summaryMessage(each.summary), ...lastOf(messages, each.kept)];
    else messages.push(...turnOf(each, runId));
  }
  return messages;
}

/** Never begins with results whose calls are gone: a damaged recording may say so. */
function lastOf(messages: readonly ModelMessage[], count: number): readonly ModelMessage[] {
  const last = count > 0 ? messages.slice(-count) : [];
  const first = last.findIndex(({ role }) => role !== "tool");
  return first === -1 ? [] : last.slice(first);
}

const UNANSWERED = "The conversation continued from here before this call had a result.";

function turnOf({ texts, calls, results, failed }: Answer, runId: string): readonly ModelMessage[] {
  if (failed) return [];
  const content: SaidPart[] = [...texts.values()].filter((text) => text !== "").map((text) => ({ type: "text", text }));
  const outputs: ToolResultPart[] = [];
  for (const [id, { name, input }] of calls) {
    const toolCallId = id.startsWith(`${runId}/`) ? id.slice(runId.length + 1) : id;
    content.push({ type: "tool-call", toolCallId, toolName: name, input: isObject(input) ? input : {} });
    outputs.push({ type: "tool-result", toolCallId, toolName: name, output: results.get(id) ?? { type: "error-text", value: UNANSWERED } });
  }
  if (content.length === 0) return [];
  return [{ role: "assistant", content }, ...(outputs.length > 0 ? [{ role: "tool" as const, content: outputs }] : [])];
}

/** A tool's result as the model sees it. The run may have been damaged: then a field may have any type. */
export function outputOf(output: ToolOutput): ToolResultOutput {
  if (!isObject(output)) return { type: "error-text", value: UNANSWERED };
  if ("context" in output) return { type: "text", value: textOf(output.context) };
  if ("error" in output) return { type: "error-text", value: textOf(output.error) };
  return { type: "error-text", value: `It was denied: ${textOf(output.reason)}` };
}

function textOf(value: unknown): string {
  return stringOf(value) ?? "";
}
