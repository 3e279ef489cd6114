import type { HarnessEvent } from "../events/index.ts";
import type { GraphNode } from "./graph-node.ts";
import { nodeIdOf } from "./node-id.ts";
import { addPiece, newPieces, type Pieces } from "./pieces.ts";

/** What the graphs of one line share. It only grows, and each thing in it knows with which event it came. */
export interface Store {
  /** How many events are in it. */
  version: number;
  readonly nodes: Map<string, Entry>;
  /** The nodes that lead somewhere, in the order in which they first did. */
  readonly sources: Entry[];
  readonly runs: Map<string, Run>;
  /** Where the chunks of an id went that was taken by something else already. */
  readonly elsewhere: Map<string, Entry>;
  readonly numbers: Map<string, number>;
}

/** A node, as it is kept. */
export interface Entry {
  readonly id: string;
  /** The version it came with. */
  readonly at: number;
  readonly event: HarnessEvent;
  /** The node of the same run before it. */
  readonly before: Entry | undefined;
  /** Where its `parentId` led. */
  readonly parent: Entry | undefined;
  /** Where its edges lead, mostly one node; an edge comes with its target. */
  out: Entry | Entry[] | undefined;
  /** From the second chunk on. */
  pieces: Pieces | undefined;
  shown: Shown | undefined;
}

/** What readers saw last of an entry: nothing is made before somebody asks for it, and then once. */
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

/** Adds the event as a node, or to the node whose next chunk it is, under the store's version. */
export function addEvent(store: Store, event: HarnessEvent): Entry {
  const wanted = wantedId(store, event);
  const there = store.nodes.get(wanted);
  if (there === undefined) return addNode(store, wanted, event);
  if (goesOn(there.event, event)) return addChunk(store, there, event);
  const key = `${event.type}\n${event.type === "repl_progress" ? event.stream : ""}\n${event.runId}\n${wanted}`;
  const second = store.elsewhere.get(key);
  if (second !== undefined && goesOn(second.event, event)) return addChunk(store, second, event);
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

/** Whether `event` is the next chunk of what `first` began. */
function goesOn(first: HarnessEvent, event: HarnessEvent): boolean {
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

/** Another id for something whose own is taken: what a REPL printed and came to under the id of its code, or a call id used twice. */
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
