import type { HarnessEvent } from "../events/index.ts";
import type { GraphNode } from "./graph-node.ts";
import { piecesUntil } from "./pieces.ts";
import { readEdges } from "./read-edges.ts";
import { readNodes } from "./read-nodes.ts";
import { addEvent, newStore, type Store } from "./store.ts";

/** A conversation at one moment. Later events make later graphs; this one never changes. */
export interface Graph {
  /** By id, in order of arrival. */
  readonly nodes: ReadonlyMap<string, GraphNode>;
  /** The ids that each node leads to; sources and targets in order of arrival. */
  readonly edges: ReadonlyMap<string, readonly string[]>;
}

export function createGraph(): Graph {
  return new Version(newStore(), 0, 0, 0);
}

/**
 * The graph with one more event. Constant time if `graph` is the newest version, because all versions share one store of which each shows
 * the beginning. Extending an older version forks it: its store is copied once.
 */
export function reduceEvent(graph: Graph, event: HarnessEvent): Graph {
  const { store, version } = versionOf(graph);
  const own = store.version === version ? store : fork(store, version);
  own.version = version + 1;
  addEvent(own, event);
  return new Version(own, own.version, own.nodes.size, own.sources.length);
}

/** A graph: the first `version` events of a store. */
class Version implements Graph {
  readonly store: Store;
  readonly version: number;
  readonly #nodeCount: number;
  readonly #sourceCount: number;
  #nodes: ReadonlyMap<string, GraphNode> | undefined;
  #edges: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(store: Store, version: number, nodeCount: number, sourceCount: number) {
    this.store = store;
    this.version = version;
    this.#nodeCount = nodeCount;
    this.#sourceCount = sourceCount;
  }

  get nodes(): ReadonlyMap<string, GraphNode> {
    this.#nodes ??= readNodes(this.store, this.version, this.#nodeCount);
    return this.#nodes;
  }

  get edges(): ReadonlyMap<string, readonly string[]> {
    this.#edges ??= readEdges(this.store, this.version, this.#sourceCount);
    return this.#edges;
  }
}

/** Gives queries access to the internals of a graph. */
export function versionOf(graph: Graph): { readonly store: Store; readonly version: number } {
  if (graph instanceof Version) return graph;
  throw new TypeError("Not a graph: make one with createGraph and reduceEvent.");
}

/** Ids and edges depend only on earlier nodes, so adding the same nodes in the same order gives the same ones. */
function fork(store: Store, version: number): Store {
  const copy = newStore();
  for (const entry of store.nodes.values()) {
    if (entry.at > version) break;
    copy.version = entry.at;
    const added = addEvent(copy, entry.event);
    added.pieces = entry.pieces && piecesUntil(entry.pieces, version);
  }
  return copy;
}
