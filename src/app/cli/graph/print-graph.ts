import { extname } from "node:path";
import { derive } from "../../../host/recording/derive/derive.ts";
import { deriveRun } from "../../../host/recording/derive/derive-run.ts";
import { agentOfRun } from "../../../host/recording/own/agent-of-run.ts";
import { agents } from "../../../pure/agents/index.ts";
import { HarnessError } from "../../../pure/base/errors.ts";
import { collapse } from "../../../pure/conversation/collapse.ts";
import { createGraph, type Graph, reduceEvent } from "../../../pure/conversation/graph.ts";
import { outline } from "../../../pure/conversation/outline.ts";
import type { HarnessEvent } from "../../../pure/events/harness-event.ts";
import { conversation } from "../../../pure/views/conversation/view.ts";
import { graphRecord } from "../../../pure/views/graph/view.ts";
import { standardInput } from "../../terminal/standard-input.ts";
import { withOutput } from "../../terminal/with-output.ts";
import { graphDot } from "../../tui/graph/graph-dot.ts";
import { graphMermaid } from "../../tui/graph/graph-mermaid.ts";
import { graphSvg } from "../../tui/graph/graph-svg.ts";
import { runOf } from "../derive-input.ts";
import { namedAgent, openAndTell, tellDamage } from "../options/open-named-run.ts";
import type { GraphFlags, graphFormats } from "./index.ts";

/** `harness graph`: of a run, of a file, or of standard input. */
export async function printGraph(input: string, flags: GraphFlags): Promise<void> {
  const format = flags.format ?? formatOf(flags.output);
  const { batches, title } = await source(input, flags);
  await withOutput(flags.output, flags.force === true, async (write) => {
    let graph = createGraph();
    for await (const batch of batches) for (const event of batch) graph = reduceEvent(graph, event);
    await write(drawn(graph, format, title));
  });
}

function drawn(graph: Graph, format: (typeof graphFormats)[number], title: string): string {
  if (format === "json") return `${JSON.stringify(graphRecord(graph))}\n`;
  const steps = collapse(outline(graph));
  if (format === "svg") return graphSvg(steps, title);
  return format === "dot" ? graphDot(steps, title) : graphMermaid(steps, title);
}

async function source(
  input: string,
  { agent: name }: GraphFlags,
): Promise<{ batches: AsyncIterable<readonly HarnessEvent[]>; title: string }> {
  const given = name === undefined ? undefined : await namedAgent(name);
  const directory = runOf(input, name === undefined ? {} : { agent: name });
  if (directory !== undefined) {
    const { manifest } = await openAndTell(directory, given);
    const agent = given ?? (await agentOfRun(manifest));
    const batches = deriveRun(manifest, directory, agent, conversation, { onDamage: tellDamage(directory) });
    return { batches, title: `${manifest.agent} · ${manifest.id}` };
  }
  if (given === undefined) throw new HarnessError("usage", `Say who printed it with --agent <id>: ${Object.keys(agents).join(", ")}.`);
  const derivation = derive(input === "-" ? standardInput() : input, { agent: given, view: conversation });
  return { batches: derivation.batches(), title: `${given.id} · ${input}` };
}

const ENDINGS: Readonly<Record<string, (typeof graphFormats)[number]>> = { ".svg": "svg", ".dot": "dot", ".gv": "dot", ".mmd": "mermaid" };

function formatOf(output: string | undefined): (typeof graphFormats)[number] {
  return ENDINGS[extname(output ?? "")] ?? "json";
}
