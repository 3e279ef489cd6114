import type { HarnessEvent } from "../events/index.ts";
import type { GraphNode } from "./graph-node.ts";
import { nodeIdOf } from "./node-id.ts";
import { addPiece, newPieces, type Pieces } from "./pieces.ts";

/** The data shared by all versions of a graph. It only grows, and every entry knows the event it came with. */
export interface Store {
  /** The number of events. */
  version: number;
  readonly nodes: Map<string, Entry>;
  /** The nodes with outgoing edges, in the order of their first edge. */
  readonly sources: Entry[];
  readonly runs: Map<string, Run>;
  /** The entries that took the chunks of an id that was already in use. */
  readonly elsewhere: Map<string, Entry>;
  readonly numbers: Map<string, number>;
}

/** A stored node. */
export interface Entry {
  readonly id: string;
  /** The version that added it. */
  readonly at: number;
  readonly event: HarnessEvent;
  /** The previous node of the same run. */
  readonly before: Entry | undefined;
  /** The node named by its `parentId`. */
  readonly parent: Entry | undefined;
  /** The targets of its edges, mostly one. An edge is added with its target. */
  out: Entry | Entry[] | undefined;
  /** Set from the second chunk on. */
  pieces: Pieces | undefined;
  shown: Shown | undefined;
}

/** The last result given to readers. It is made on request, and only once. */
interface Shown {
  node?: GraphNode;
  pieces?: number;
  targets?: readonly string[];
}

export interface Run {
  readonly first: Entry;
  last: Entry;
}

export function newStore(): Store {
  return { version: 0, nodes: new Map(), sources: [], runs: new Map(), elsewhere: new Map(), numbers: new Map() };
}

/** Adds the event as a new node, or as a chunk of its node, under the store's version. */
export function addEvent(store: Store, event: HarnessEvent): Entry {
  const wanted = wantedId(store, event);
  const there = store.nodes.get(wanted);
  if (there === undefined) return addNode(store, wanted, event);
  if (continues(there.event, event)) return addChunk(store, there, event);
  const key = `${event.type}\n${event.type === "repl_progress" ? event.stream : ""}\n${event.runId}\n${wanted}`;
  const second = store.elsewhere.get(key);
  if (second !== undefined && continues(second.event, event)) return addChunk(store, second, event);
  const entry = addNode(store, freeId(store, wanted, event), event);
  store.elsewhere.set(key, entry);
  return entry;
}

function addNode(store: Store, id: string, event: HarnessEvent): Entry {
  const { runId, parentId } = event;
  const run = store.runs.get(runId);
  const before = run?.last;
  const parent = parentId === undefined ? undefined : (store.nodes.get(parentId) ?? store.runs.get(parentId)?.last);
  const entry: Entry = {
    id,
    at: store.version,
    event,
    before,
    parent,
    out: undefined,
    pieces: undefined,
    shown: undefined,
  };
  store.nodes.set(id, entry);
  if (run === undefined) store.runs.set(runId, { first: entry, last: entry });
  else run.last = entry;
  if (before !== undefined) link(store, before, entry);
  if (parent !== undefined && parent !== before) link(store, parent, entry);
  return entry;
}

function link(store: Store, source: Entry, target: Entry): void {
  const { out } = source;
  if (Array.isArray(out)) out.push(target);
  else if (out !== undefined) source.out = [out, target];
  else {
    source.out = target;
    store.sources.push(source);
  }
}

function addChunk(store: Store, entry: Entry, event: HarnessEvent): Entry {
  const { pieces, event: first, at } = entry;
  if (pieces !== undefined) addPiece(pieces, chunkOf(event), store.version);
  else entry.pieces = newPieces(chunkOf(first), at, chunkOf(event), store.version);
  return entry;
}

/** Whether `event` is the next chunk of the node that `first` began. */
function continues(first: HarnessEvent, event: HarnessEvent): boolean {
  if (first.type !== event.type || first.runId !== event.runId) return false;
  if (first.type === "repl_progress" && event.type === "repl_progress") return first.stream === event.stream;
  return first.type === "text" || first.type === "reasoning" || first.type === "tool_progress";
}

function chunkOf(event: HarnessEvent): unknown {
  if (event.type === "repl_progress") return event.chunk;
  return event.type === "text" || event.type === "reasoning" || event.type === "tool_progress" ? event.content : undefined;
}

function wantedId(store: Store, event: HarnessEvent): string {
  return nodeIdOf(event) ?? numbered(store, `${event.runId}:${event.type}`, 1);
}

/** A free id for an event whose own id is taken: a REPL's output has the id of its code, and some call ids are used twice. */
function freeId(store: Store, taken: string, { type }: HarnessEvent): string {
  const suffix = type === "repl_output" ? "result" : type.endsWith("_progress") ? "progress" : undefined;
  const named = suffix === undefined ? taken : `${taken}:${suffix}`;
  return store.nodes.has(named) ? numbered(store, named, 2) : named;
}

function numbered(store: Store, stem: string, from: number): string {
  let n = store.numbers.get(stem) ?? from;
  while (store.nodes.has(`${stem}:${n}`)) n++;
  store.numbers.set(stem, n + 1);
  return `${stem}:${n}`;
}
