import { once } from "node:events";
import { chmodSync, renameSync } from "node:fs";
import { connect, createServer } from "node:net";
import { codeOf, isObject, numberOf, stringOf } from "../../pure/base/index.ts";

/** What the process behind a socket says of itself; null is what it did not say. */
export interface Answer {
  /** False while it is still finding out whether it may have the lock. */
  readonly held: boolean;
  readonly host: string | null;
  readonly since: number | null;
  readonly command: string | null;
}

export interface Announcement {
  close(): void;
}

/** A stopped process still accepts connections, since the kernel does it for it, but says nothing. */
const ANSWER_MS = 500;
const ANSWER_BYTES = 64 * 1024;

/**
 * Listens under this path, and tells whoever connects what `answer` gives. Under its name it is never seen before it listens, when
 * it would look dead: it is made under `temporary`. Does not keep the process alive.
 */
export async function announce(path: string, temporary: string, answer: () => Answer): Promise<Announcement> {
  const server = createServer((socket) => {
    socket.unref();
    socket.on("error", () => socket.destroy());
    socket.end(`${JSON.stringify(answer())}\n`, () => socket.destroy());
  });
  server.listen({ path: temporary, exclusive: true });
  server.unref();
  await once(server, "listening");
  server.on("error", () => undefined); // a connection that could not be accepted is the other side's to notice
  try {
    chmodSync(temporary, 0o600);
    renameSync(temporary, path);
  } catch (error) {
    server.close();
    throw error;
  }
  return { close: () => server.close() };
}

/** Asks the process that listens under this path. `dead`: none does, and none will again. Undefined: the name is gone. */
export function ask(path: string): Promise<Answer | "dead" | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    let text = "";
    // A process that slept past the time itself reads first what has come meanwhile: the timers of a turn run before its input.
    const timer = setTimeout(() => setImmediate(finish, SILENT), ANSWER_MS);

    function finish(result: Answer | "dead" | undefined): void {
      clearTimeout(timer);
      socket.destroy();
      resolve(result);
    }

    socket.setEncoding("utf8");
    socket.on("data", (piece: string) => {
      text += piece;
      if (text.includes("\n") || text.length > ANSWER_BYTES) finish(answerOf(text));
    });
    socket.on("end", () => finish(UNDECIDED));
    socket.on("error", (error) => {
      const code = codeOf(error);
      if (ours.has(code)) {
        clearTimeout(timer);
        reject(error);
      } else if (code === "ENOENT") finish(undefined);
      else if (code === "ECONNREFUSED" || code === "ENOTSOCK") finish("dead");
      else finish(code === "ECONNRESET" || code === "EPIPE" ? UNDECIDED : SILENT);
    });
  });
}

/** What says nothing about the other side. */
const ours: ReadonlySet<string> = new Set(["EMFILE", "ENFILE", "ENOMEM", "ENOBUFS"]);

/** It lives. So does one whose queue of connections is full, or that we may not talk to. */
const SILENT: Answer = { held: true, host: null, since: null, command: null };

/** It went away while we asked: another look will tell. */
const UNDECIDED: Answer = { ...SILENT, held: false };

function answerOf(text: string): Answer {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return SILENT;
    const { held, host, since, command } = value;
    return { held: held !== false, host: stringOf(host) ?? null, since: numberOf(since) ?? null, command: stringOf(command) ?? null };
  } catch {
    return SILENT;
  }
}
