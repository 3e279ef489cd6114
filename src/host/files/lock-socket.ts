import { once } from "node:events";
import { chmodSync, renameSync } from "node:fs";
import { codeOf, isObject, numberOf, parseJson, stringOf } from "../../pure/base/index.ts";
import { connectTo, endStream, forProgram, socketServer } from "../sink/index.ts";

/** What the process behind a socket says about itself; null if it did not say. */
export interface Answer {
  /** False while it is still finding out whether it gets the lock. */
  readonly held: boolean;
  readonly host: string | null;
  readonly since: number | null;
  readonly command: string | null;
}

export interface Announcement {
  close(): void;
}

/** A stopped process still accepts connections, because the kernel does that, but it says nothing. */
const ANSWER_MS = 500;
const ANSWER_BYTES = 64 * 1024;

/**
 * Listens on `path` and sends the result of `answer` to everyone who connects. The socket is created as `temporary` and then renamed, so no
 * one sees it before it listens, when it would look dead. Does not keep the process alive.
 */
export async function announce(path: string, temporary: string, answer: () => Answer): Promise<Announcement> {
  const server = socketServer((socket) => {
    socket.unref();
    socket.on("error", () => socket.destroy());
    endStream(socket, forProgram(`${JSON.stringify(answer())}\n`), () => socket.destroy());
  });
  server.listen({ path: temporary, exclusive: true });
  server.unref();
  await once(server, "listening");
  server.on("error", () => undefined); // if a connection cannot be accepted, the other side notices
  try {
    chmodSync(temporary, 0o600);
    renameSync(temporary, path);
  } catch (error) {
    server.close();
    throw error;
  }
  return { close: () => server.close() };
}

/** Asks the process that listens on this path. `dead`: no process does, and none will. Undefined: the name is gone. */
export function ask(path: string): Promise<Answer | "dead" | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connectTo(path);
    let text = "";
    // If this process slept past the timeout, it first reads what has arrived: timers run before input.
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

/** Errors on our side: they say nothing about the other process. */
const ours: ReadonlySet<string> = new Set(["EMFILE", "ENFILE", "ENOMEM", "ENOBUFS"]);

/** The process is alive. So is one with a full connection queue, or one we may not talk to. */
const SILENT: Answer = { held: true, host: null, since: null, command: null };

/** The process went away while we asked; the next look decides. */
const UNDECIDED: Answer = { ...SILENT, held: false };

export function answerOf(text: string): Answer {
  try {
    const value: unknown = parseJson(text);
    if (!isObject(value)) return SILENT;
    const { held, host, since, command } = value;
    return { held: held !== false, host: stringOf(host) ?? null, since: numberOf(since) ?? null, command: stringOf(command) ?? null };
  } catch {
    return SILENT;
  }
}
