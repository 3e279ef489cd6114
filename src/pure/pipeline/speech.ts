import { fewMap } from "../base/index.ts";
import type { BodyOf, HarnessEvent, RecordRef, Role } from "../events/index.ts";

/** A piece of a message or a thought that may continue in a later line. The log joins pieces until any other event comes. */
export interface Piece {
  readonly type: "piece";
  /** A thought has no role. */
  readonly role?: Role;
  readonly text: string;
  readonly messageId?: string;
  readonly parent?: string;
  /** Also emitted as a delta. */
  readonly live?: true;
  /** The whole message repeats an earlier one if this is all of its text. */
  readonly again?: string;
  /** The event that the delta came from, of an agent that prints those of specification 002. */
  readonly said?: HarnessEvent;
  /** The records it came from, if not just the current one. */
  readonly from?: readonly RecordRef[];
}

/** The message is complete, broke off, or is not a message after all. Without one of these, the next event completes it. */
export interface Pause {
  readonly type: "pause";
  readonly partial?: true;
  readonly drop?: true;
  /** The thread of a message whose pieces could not say it. */
  readonly parent?: string;
}

export interface Spoken {
  readonly body: BodyOf<"message"> | BodyOf<"reasoning">;
  /** When its last byte came. */
  readonly at: number;
}

type Open = { -readonly [K in keyof Omit<Piece, "type" | "live" | "said" | "from">]: Piece[K] } & {
  readonly since: number;
  at: number;
  readonly from: RecordRef[];
  /** The last delta that announced more of it. */
  announced: RecordRef | undefined;
  readonly continues: boolean;
};

const MAIN = "";

/**
 * Joins the pieces of one message at a time. Whatever else is emitted closes it first, so text never appears after an event that was
 * printed after it, and is never joined across one. The parts of an interrupted message share its id; later parts say `continues`.
 */
export function speech() {
  let open: Open | undefined;
  /** By thread: the last message, as long as only events that are not part of the conversation have come since. */
  const interrupted = fewMap<string, Pick<Piece, "role" | "messageId" | "parent">>();

  function add(piece: Piece, at: number, here: RecordRef): void {
    if (open === undefined) {
      const { role, text, messageId, parent, again } = piece;
      const before = interrupted.get(piece.parent ?? MAIN);
      const from = piece.from === undefined ? [here] : [...piece.from];
      open = {
        role,
        text,
        messageId,
        parent,
        again,
        since: at,
        at,
        from,
        announced: undefined,
        continues: before !== undefined && isSame(before, piece),
      };
      return;
    }
    open.text += piece.text;
    open.at = at;
    open.announced = undefined;
    if (piece.from !== undefined) open.from.push(...piece.from);
    else if (open.from.at(-1) !== here) open.from.push(here);
  }

  function take(partial?: true, parent?: string): Spoken | undefined {
    if (open === undefined) return undefined;
    const said = open;
    said.parent ??= parent;
    interrupted.set(said.parent ?? MAIN, { role: said.role, messageId: said.messageId, parent: said.parent });
    open = undefined;
    return spokenOf(said, partial);
  }

  return {
    add,
    take,
    /** Whether this piece belongs to what is open. */
    takes: (piece: Piece) => open !== undefined && isSame(open, piece),
    /** A delta of the open message announces more of it, and does not close it. */
    announces(messageId: string | undefined, parent: string | undefined, at: number, here: RecordRef): boolean {
      if (open === undefined || messageId === undefined || open.messageId !== messageId || open.parent !== parent) return false;
      open.at = at;
      open.announced = here;
      return true;
    },
    /** Whether a delta continues the last message of its thread. */
    isOfLast: (messageId: string | undefined, parent: string | undefined) =>
      messageId !== undefined && interrupted.get(parent ?? MAIN)?.messageId === messageId,
    /** An event of the conversation came: what follows in its thread is a new message, unless its id says otherwise. */
    interrupt(parent: string | undefined): void {
      const before = interrupted.get(parent ?? MAIN);
      if (before !== undefined && before.messageId === undefined) interrupted.delete(parent ?? MAIN);
    },
  };
}

/** Written out, because it is made for every message: copying fields costs as much as reading its line. */
function spokenOf(open: Open, partial: true | undefined): Spoken {
  const { role, text, messageId, parent, again, announced, at } = open;
  const from = announced === undefined ? open.from : [...open.from, announced];
  const since = open.since === at ? undefined : open.since;
  const continues = open.continues ? (true as const) : undefined;
  if (role === undefined) return { body: { type: "reasoning", text, parent, from, since, continues, partial }, at };
  const repeats = again !== undefined && again === text && !continues ? (true as const) : undefined;
  return { body: { type: "message", role, messageId, repeats, text, parent, from, since, continues, partial }, at };
}

function isSame(one: Pick<Piece, "role" | "messageId" | "parent">, other: Piece): boolean {
  return one.role === other.role && one.messageId === other.messageId && one.parent === other.parent;
}

/** A part of a long string keeps all of it in memory; every delta may be a part of a different one. */
function copyOf(text: string): string {
  return text.length < SHORT ? text : (JSON.parse(JSON.stringify(text)) as string);
}

/** V8 copies shorter parts itself. */
const SHORT = 13;

/** The main thread's deltas that no message has completed yet: if none ever does, they are all there is of it. */
export function deltas() {
  let open: Open | undefined;

  return {
    add({ text, messageId, parent }: BodyOf<"text-delta">, at: number, here: RecordRef, continues: boolean): void {
      if (parent !== undefined) return;
      if (open === undefined || open.messageId !== messageId) {
        open = { role: "assistant", text: copyOf(text), messageId, since: at, at, from: [here], announced: undefined, continues };
        return;
      }
      open.text += copyOf(text);
      open.at = at;
      open.from[1] = here; // the first and the last are enough to find them all
    },
    clear(parent: string | undefined): void {
      if (parent === undefined) open = undefined;
    },
    size: () => (open === undefined ? 0 : 1),
    take(): readonly Spoken[] {
      const rest = open === undefined ? [] : [spokenOf(open, true)];
      open = undefined;
      return rest;
    },
  };
}
