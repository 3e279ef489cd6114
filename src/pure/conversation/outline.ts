import { dollars, whole } from "../base/index.ts";
import { atLeast, type Usage } from "../events/index.ts";
import type { Graph } from "./graph.ts";
import type { GraphNode } from "./graph-node.ts";
import { noUsage } from "./harness-usage.ts";
import { runsOf } from "./queries.ts";
import type { Link, Step, StepKind, StepState } from "./step.ts";
import { totalsOf } from "./usage-of.ts";
import { resultText, valueText } from "./value-text.ts";

type Draft = { -readonly [K in keyof Step]: Step[K] } & { from: Link[]; children: Set<string> };

/**
 * The graph in reading order: a call and its result are one step, consecutive texts are one step, usage is shown at the end of its run.
 * A model call is its own run in the graph; here it is in the lane of the caller.
 */
export function outline(graph: Graph): readonly Step[] {
  const lanes = lanesOf(graph);
  const totals = totalsOf(graph);
  const steps: Draft[] = [];
  const last = new Map<string, Draft>();
  const begun = new Map<string, Draft>(); // calls and programs, by node id
  const places = new Map<string, Draft>();
  const queries = new Map<string, Draft>(); // a program's questions to a model, by the run that answers

  function add(node: GraphNode, kind: StepKind, title: string, detail: string, state?: StepState): Draft {
    const run = lanes.get(node.runId)?.lane ?? node.runId;
    const before = last.get(run);
    const from: Link[] = before === undefined ? [] : [{ id: before.id, kind: "next" }];
    if (before === undefined) {
      const parent = places.get(lanes.get(run)?.parent ?? "");
      if (parent !== undefined) {
        from.push({ id: parent.id, kind: "branch" });
        parent.children.add(run);
      }
    }
    const step: Draft = { id: node.id, run, kind, title, detail, outcome: "", state, count: 1, from, children: new Set() };
    steps.push(step);
    last.set(run, step);
    return step;
  }

  function say(node: GraphNode & { readonly type: "text" | "reasoning" }): Draft {
    const before = last.get(lanes.get(node.runId)?.lane ?? node.runId);
    if (before?.kind !== node.type) return add(node, node.type, node.type, node.content);
    before.count++;
    before.detail += ` ${node.content}`;
    return before;
  }

  /** Ends the step of the call, or adds a new one if other runs worked for it in between. */
  function close(node: GraphNode, callId: string, title: string, state: StepState, outcome: string): Draft {
    const call = begun.get(callId);
    if (call === undefined) return add(node, "result", title, outcome, state);
    call.state = state;
    if (call.children.size === 0) {
      call.outcome = outcome;
      return call;
    }
    const step = add(node, "result", title, outcome, state);
    for (const child of call.children) {
      const end = last.get(child);
      if (end?.kind === "end") step.from.push({ id: end.id, kind: "return" });
    }
    return step;
  }

  /** A program that queries a model calls it. Many queries run in parallel, and each answer stays with its question. */
  function queryStep(node: GraphNode): Draft | undefined {
    if (node.type === "user") {
      const step = add(node, "call", "llm_query", node.content, "open");
      queries.set(node.runId, step);
      return step;
    }
    const step = queries.get(node.runId);
    if (step !== undefined && node.type === "text") step.outcome += node.content;
    else if (step !== undefined && node.type === "harness_end") step.state = node.reason === "final" ? "ok" : "failed";
    else return undefined;
    return step;
  }

  /** A denied call has only a result, which holds the request. */
  function refused(node: GraphNode, title: string, detail: string, reason: string): Draft {
    return Object.assign(add(node, "call", title, [detail, reason].filter(Boolean).join(" · "), "denied"), { outcome: reason });
  }

  /** Text around a program comes before it; the program itself is not shown twice. */
  function program(node: GraphNode, code: string): Draft {
    const before = last.get(lanes.get(node.runId)?.lane ?? node.runId);
    if (before?.kind !== "text" || !before.detail.includes("```")) return add(node, "code", "code", code, "open");
    const prose = before.detail.replace(/```[\s\S]*?(?:```|$)/g, " ").trim();
    if (prose === "") return Object.assign(before, { kind: "code" as const, title: "code", detail: code, state: "open" as const });
    before.detail = prose;
    return add(node, "code", "code", code, "open");
  }

  function stepOf(node: GraphNode): Draft | undefined {
    const asked = lanes.get(node.runId)?.isQuery ? queryStep(node) : undefined;
    if (asked !== undefined) return asked;
    const isModelCall = lanes.get(node.runId)?.lane !== node.runId;
    switch (node.type) {
      case "harness_start":
        return isModelCall
          ? undefined
          : add(node, "start", node.agent ?? node.runId.slice(node.runId.lastIndexOf("/") + 1), node.model ?? "");
      case "harness_end": {
        if (isModelCall) return undefined;
        const title = node.reason === "final" ? "done" : node.reason === "error" ? "failed" : "turn limit";
        return add(node, "end", title, usageText(totals.get(node.runId)), node.reason === "final" ? "ok" : "failed");
      }
      case "text":
      case "reasoning":
        return say(node);
      case "tool_call":
        return begin(node.id, add(node, "call", node.name, valueText(node.input), "open"));
      case "tool_result": {
        const { state, text } = resultText(node.output);
        if (state === "denied" && node.input !== undefined) return refused(node, node.name, valueText(node.input), text);
        return close(node, node.id.replace(/:result(:\d+)?$/, "$1"), node.name, state, text);
      }
      case "repl_input":
        return begin(node.id, program(node, node.code.trim()));
      case "repl_output": {
        const { error, stdout } = node;
        return close(node, node.id.replace(/:result(:\d+)?$/, "$1"), "code", error === undefined ? "ok" : "failed", error ?? stdout.trim());
      }
      case "relay":
        return add(node, "relay", `may it call ${node.tool}?`, valueText(node.params));
      case "error":
        return add(node, "error", node.code ?? "error", node.message);
      case "user":
        return add(node, "user", "user", node.content);
      case "compaction":
        return add(node, "user", "summary", node.content);
      default:
        return undefined;
    }
  }

  function begin(id: string, step: Draft): Draft {
    begun.set(id, step);
    return step;
  }

  for (const node of graph.nodes.values()) {
    const step = stepOf(node) ?? last.get(lanes.get(node.runId)?.lane ?? node.runId);
    if (step !== undefined) places.set(node.id, step);
  }
  return steps;
}

interface Lane {
  readonly lane: string;
  /** The node where it began. */
  readonly parent?: string;
  /** A program started this run to query a model. */
  readonly isQuery?: boolean;
}

/** The lane of each run: a model call is in the lane of its caller. */
function lanesOf(graph: Graph): Map<string, Lane> {
  const lanes = new Map<string, Lane>();
  for (const { runId, parent, parentRun } of runsOf(graph)) {
    const start = graph.nodes.get(`${runId}:start`);
    const asked = start?.type === "harness_start" && start.agent === "provider" ? lanes.get(parentRun ?? "") : undefined;
    const isQuery = graph.nodes.get(parent ?? "")?.type === "repl_input";
    lanes.set(runId, asked === undefined ? { lane: runId, ...(parent === undefined ? {} : { parent }) } : { ...asked, isQuery });
  }
  return lanes;
}

/** A thread's numbers; `≥` if they are those of a part. */
function usageText({ inputTokens, outputTokens, cacheReadTokens, costUsd, covers, incomplete }: Usage = noUsage): string {
  const parts = [
    inputTokens === null ? undefined : `${whole(inputTokens + (cacheReadTokens ?? 0))} in`,
    outputTokens === null ? undefined : `${whole(outputTokens)} out`,
    costUsd === undefined ? undefined : dollars(costUsd),
  ];
  const text = parts.filter((part) => part !== undefined).join(" · ");
  return atLeast(text, text !== "" && (covers === "last-step" || incomplete === true));
}
