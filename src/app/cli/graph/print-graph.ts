import { extname } from "node:path";
import { agentOfRun, derive, deriveRun } from "../../../host/recording/index.ts";
import { HarnessError } from "../../../pure/base/index.ts";
import {
  collapse,
  createGraph,
  type Graph,
  graphDot,
  graphMermaid,
  graphSvg,
  outline,
  reduceEvent,
} from "../../../pure/conversation/index.ts";
import type { HarnessEvent } from "../../../pure/events/index.ts";
import { conversation, graphRecord } from "../../../pure/views/index.ts";
import { standardInput, withOutput } from "../../terminal/index.ts";
import { missingAgent, runOf } from "../derive-input.ts";
import { joinedParts, jsonParts } from "../json-parts.ts";
import { namedAgent, openAndReport, reportDamage } from "../options/index.ts";

export type GraphFormat = "json" | "dot" | "mermaid" | "svg";

export interface GraphFlags {
  readonly agent?: string;
  readonly format?: GraphFormat;
  readonly output?: string;
  readonly force?: true;
}

/** `harness graph`: draws a run, a file, or standard input. */
export async function printGraph(input: string, flags: GraphFlags): Promise<void> {
  const format = flags.format ?? formatOf(flags.output);
  const { batches, title } = await source(input, flags);
  await withOutput(flags.output, flags.force === true, async (write) => {
    let graph = createGraph();
    for await (const batch of batches) for (const event of batch) graph = reduceEvent(graph, event);
    for (const part of drawn(graph, format, title)) await write(part);
  });
}

function drawn(graph: Graph, format: GraphFormat, title: string): Iterable<string> {
  if (format === "json") return joinedParts(jsonParts(graphRecord(graph)));
  const steps = collapse(outline(graph));
  if (format === "svg") return [graphSvg(steps, title)];
  return [format === "dot" ? graphDot(steps, title) : graphMermaid(steps, title)];
}

/** The view of which the graph is made, which is held. */
const held = { ...conversation, id: "graph", holdsRun: true } as const;

async function source(
  input: string,
  { agent: name }: GraphFlags,
): Promise<{ batches: AsyncIterable<readonly HarnessEvent[]>; title: string }> {
  const given = name === undefined ? undefined : await namedAgent(name);
  const directory = runOf(input, name === undefined ? {} : { agent: name });
  if (directory !== undefined) {
    const { manifest } = await openAndReport(directory, given);
    const agent = given ?? (await agentOfRun(manifest));
    const batches = deriveRun(manifest, directory, agent, held, { onDamage: reportDamage(directory) });
    return { batches, title: `${manifest.agent} · ${manifest.id}` };
  }
  if (given === undefined) throw new HarnessError("usage", missingAgent(input));
  const derivation = derive(input === "-" ? standardInput() : input, { agent: given, view: held });
  return { batches: derivation.batches(), title: `${given.id} · ${input}` };
}

const ENDINGS: Readonly<Record<string, GraphFormat>> = { ".svg": "svg", ".dot": "dot", ".gv": "dot", ".mmd": "mermaid" };

function formatOf(output: string | undefined): GraphFormat {
  return ENDINGS[extname(output ?? "")] ?? "json";
}
