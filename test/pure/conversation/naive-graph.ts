import type { HarnessEvent } from "../../../src/pure/events/harness-event.ts";

/** The obvious implementation: everything is copied for every event, nothing is shared. */
export interface NaiveGraph {
  readonly nodes: ReadonlyMap<string, Record<string, unknown>>;
  readonly edges: ReadonlyMap<string, readonly string[]>;
  /** The events that formed each node. */
  readonly of: ReadonlyMap<string, readonly HarnessEvent[]>;
  readonly numbers: ReadonlyMap<string, number>;
}

export const noGraph: NaiveGraph = { nodes: new Map(), edges: new Map(), of: new Map(), numbers: new Map() };

export function naiveReduce(graph: NaiveGraph, event: HarnessEvent): NaiveGraph {
  const of = new Map(graph.of);
  const numbers = new Map(graph.numbers);
  const number = (stem: string, first: number): string => {
    let n = numbers.get(stem) ?? first;
    while (of.has(`${stem}:${n}`)) n++;
    numbers.set(stem, n + 1);
    return `${stem}:${n}`;
  };

  const wanted = (() => {
    if (event.type === "harness_start") return `${event.runId}:start`;
    if (event.type === "harness_end") return `${event.runId}:end`;
    if (event.type === "tool_result") return `${event.id}:result`;
    return event.id ?? number(`${event.runId}:${event.type}`, 1);
  })();
  const mine = [...of]
    .filter(([id, made]) => isChunkOf(made[0], event) && (id === wanted || wantedBy(made[0]) === wanted))
    .map(([id]) => id);
  const joined = mine.includes(wanted) ? wanted : mine.at(-1);
  if (joined !== undefined) {
    of.set(joined, [...(of.get(joined) ?? []), event]);
    return { ...graph, of, numbers, nodes: nodesOf(of) };
  }
  let id = wanted;
  if (of.has(id)) {
    if (event.type === "repl_output") id = `${wanted}:result`;
    else if (event.type.endsWith("_progress")) id = `${wanted}:progress`;
    if (of.has(id)) id = number(id, 2);
  }
  const before = lastOf(of, event.runId);
  const { parentId } = event;
  const parent = parentId === undefined ? undefined : of.has(parentId) ? parentId : lastOf(of, parentId);
  const edges = new Map(graph.edges);
  for (const source of new Set([before, parent])) if (source !== undefined) edges.set(source, [...(edges.get(source) ?? []), id]);
  of.set(id, [event]);
  return { nodes: nodesOf(of), edges, of, numbers };
}

function wantedBy(event: HarnessEvent | undefined): string | undefined {
  return event !== undefined && "id" in event ? event.id : undefined;
}

function isChunkOf(first: HarnessEvent | undefined, event: HarnessEvent): boolean {
  if (first?.type !== event.type || first.runId !== event.runId) return false;
  if (first.type === "repl_progress" && event.type === "repl_progress") return first.stream === event.stream;
  return ["text", "reasoning", "tool_progress"].includes(event.type);
}

function lastOf(of: ReadonlyMap<string, readonly HarnessEvent[]>, runId: string): string | undefined {
  return [...of].filter(([, [first]]) => first?.runId === runId).at(-1)?.[0];
}

function nodesOf(of: ReadonlyMap<string, readonly HarnessEvent[]>): Map<string, Record<string, unknown>> {
  return new Map([...of].map(([id, events]) => [id, { ...events[0], ...contentOf(events), id }]));
}

function contentOf(events: readonly HarnessEvent[]): Record<string, unknown> {
  const pieces = events.map((event) => (event.type === "repl_progress" ? event.chunk : "content" in event ? event.content : undefined));
  if (events[0]?.type === "repl_progress") return { chunk: pieces.join("") };
  if (events.length === 1) return {};
  const other = pieces.findLastIndex((piece) => typeof piece !== "string");
  if (other === pieces.length - 1) return { content: pieces[other] };
  return { content: pieces.slice(other + 1).join("") };
}
