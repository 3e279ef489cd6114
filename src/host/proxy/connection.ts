import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Target } from "./target.ts";

/** An attempt to reach something outside. */
export interface Connection {
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** As the client asked for it. */
  readonly host: string;
  /** Null: what the client asked for cannot be read. */
  readonly port: number | null;
  readonly decision: "allow" | "deny";
  readonly reason: string;
  /** Bytes from the agent, and to it. */
  readonly up: number;
  readonly down: number;
  readonly durationMs: number;
}

/** Reports how an attempt went. The first call counts. */
export type Done = (decision: Connection["decision"], reason: string, up?: number, down?: number) => void;

/** The attempts of a run that are not over. */
export interface Attempts {
  begin(what: Pick<Connection, "host" | "port">): Done;
  /** Nothing can come of the others any more. */
  end(): void;
}

export function attempts(record: (connection: Connection) => void): Attempts {
  const open = new Set<Done>();
  return {
    begin({ host, port }) {
      const startedAt = Date.now();
      const done: Done = (decision, reason, up = 0, down = 0) => {
        if (!open.delete(done)) return;
        record({ startedAt, host, port, decision, reason, up, down, durationMs: Date.now() - startedAt });
      };
      open.add(done);
      return done;
    },
    end() {
      for (const done of open) done("allow", "the run ended first");
    },
  };
}

/** What is asked for, as far as it can be shown. */
export function asked(target: Target | undefined, text: string): Pick<Connection, "host" | "port"> {
  return target ?? { host: text.slice(0, 300), port: null };
}

/**
 * Connects two streams until both directions have ended. Each side may end its direction first; a side that breaks takes the other with it.
 * Calls `done` once, with the bytes that came from each side.
 */
export function tunnel(inner: Duplex, outer: Socket, head: Uint8Array, done: (up: number, down: number) => void): void {
  let up = head.length;
  let down = 0;
  let open = 2;
  if (head.length > 0) outer.write(head);
  inner.on("data", (chunk: Buffer) => {
    up += chunk.length;
  });
  outer.on("data", (chunk: Buffer) => {
    down += chunk.length;
  });
  for (const [side, other] of [
    [inner, outer],
    [outer, inner],
  ] as const) {
    side.on("error", () => other.destroy());
    side.on("close", () => {
      if (!side.readableEnded || !side.writableFinished) other.destroy();
      if (--open === 0) done(up, down);
    });
  }
  inner.pipe(outer);
  outer.pipe(inner);
}

/** Answers a client that gets no connection, with a sentence that its user can read. */
export function hangUp(socket: Duplex, status: string, message: string): void {
  socket.on("error", () => {});
  if (!socket.writable) return void socket.destroy();
  const body = Buffer.from(`harness: ${message}.\n`);
  const head = `HTTP/1.1 ${status}\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`;
  socket.end(Buffer.concat([Buffer.from(head), body]), () => socket.destroy());
}
