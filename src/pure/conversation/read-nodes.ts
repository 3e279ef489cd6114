import type { GraphNode } from "./graph-node.ts";
import { contentOf, countAt } from "./pieces.ts";
import { readOnlyMap } from "./read-only-map.ts";
import type { Entry, Store } from "./store.ts";

/** The nodes of a store at one version. */
export function readNodes(store: Store, version: number, size: number): ReadonlyMap<string, GraphNode> {
  function get(id: string): GraphNode | undefined {
    const entry = store.nodes.get(id);
    return entry === undefined || entry.at > version ? undefined : nodeAt(entry, version);
  }

  function* entries(): Generator<[string, GraphNode]> {
    for (const entry of store.nodes.values()) {
      if (entry.at > version) return;
      yield [entry.id, nodeAt(entry, version)];
    }
  }

  return readOnlyMap(size, get, entries);
}

export function nodeAt(entry: Entry, version: number): GraphNode {
  const count = entry.pieces === undefined ? 1 : countAt(entry.pieces, version);
  entry.shown ??= {};
  const { shown } = entry;
  if (shown.node !== undefined && shown.pieces === count) return shown.node;
  shown.node = Object.freeze(node(entry, count));
  shown.pieces = count;
  return shown.node;
}

function node({ id, event, pieces }: Entry, count: number): GraphNode {
  if (pieces === undefined || count === 1) return { ...event, id };
  const content = contentOf(pieces, count);
  if (event.type === "repl_progress") return { ...event, id, chunk: String(content) };
  return { ...event, id, content } as GraphNode;
}
