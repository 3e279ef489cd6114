import { clip, counted, whole, wrap } from "../../../pure/base/index.ts";
import { createGraph, type Graph, outline, reduceEvent, runsOf, type Step, usageOf } from "../../../pure/conversation/index.ts";
import type { Event } from "../../../pure/events/index.ts";
import { activity, conversation, rendererFor, stream } from "../../../pure/views/index.ts";
import { colors, terminal } from "../../terminal/index.ts";

const ROOM = 76;

export async function demoAccount(batches: AsyncIterable<readonly Event[]>, id: string) {
  const options = { evaluated: { id } };
  const open = { activity: activity.open(), stream: stream.open(), conversation: conversation.open(options) };
  const did: string[] = [];
  const types = new Map<string, number>();
  let graph = createGraph();
  const render = rendererFor("activity", terminal);
  for await (const batch of batches) {
    for (const event of batch) {
      did.push(...open.activity.push(event).flatMap((record) => linesOf(render(record))));
      for (const { type } of open.stream.push(event)) types.set(type, (types.get(type) ?? 0) + 1);
      for (const change of open.conversation.push(event)) graph = reduceEvent(graph, change);
    }
  }
  const title = (text: string, command: string) => `${colors.bold(text)}  ${colors.dim(command)}`;
  return {
    graph,
    lines: [
      title("Activity", "harness derive last --view activity"),
      ...did.map((line) => `  ${line}`),
      "",
      title("Stream", "harness derive last --view stream"),
      ...wrap([...types].map(([type, count]) => `${type} × ${count}`).join(", "), ROOM).map((line) => `  ${line}`),
      "",
      title("Graph", "harness graph last"),
      ...graphLines(outline(graph)),
      "",
      title("Cost", "harness derive last --view result"),
      `  ${costOf(graph)}`,
    ],
  };
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}

const MARKS = { ok: colors.green("✓"), failed: colors.red("✗"), denied: colors.red("⊘"), open: "…" } as const;

function graphLines(steps: readonly Step[]): string[] {
  const depths = new Map<string, number>();
  const runs = new Map(steps.map(({ id, run }) => [id, run]));
  return steps.map(({ run, kind, title, detail, state, from }) => {
    const branch = from.find((link) => link.kind === "branch");
    if (!depths.has(run)) depths.set(run, branch === undefined ? 0 : (depths.get(runs.get(branch.id) ?? "") ?? 0) + 1);
    const indent = "│  ".repeat(depths.get(run) ?? 0);
    const mark = state === undefined ? "·" : MARKS[state];
    const head = kind === "text" || kind === "reasoning" ? kind : kind === "result" ? `back from ${title}` : title;
    return `  ${colors.dim(indent)}${mark} ${clip(`${head}  ${detail}`, ROOM - indent.length)}`;
  });
}

function costOf(graph: Graph): string {
  const runs = runsOf(graph);
  const agents = [...graph.nodes.values()].filter((node) => node.type === "harness_start" && node.agent !== "provider").length;
  const { total } = usageOf(graph, runs[0]?.runId ?? "");
  const input = (total.inputTokens ?? 0) + (total.cacheReadTokens ?? 0) + (total.cacheCreationTokens ?? 0);
  const tokens = `${whole(input)} tokens in, ${whole(total.outputTokens ?? 0)} out`;
  return `${counted(agents, "agent")}, ${counted(runs.length - agents, "model call")}: ${tokens}; a scripted model has no price`;
}
