import { connect, createServer, type Server, type Socket } from "node:net";
import type { Writable } from "node:stream";
import type { SafeText } from "./safe.ts";

/** Between processes of one user on this machine. What goes over it passes `writeStream` and `endStream`. */
export function connectTo(path: string): Socket {
  return connect(path);
}

export function socketServer(onConnection?: (socket: Socket) => void): Server {
  return createServer(onConnection);
}

/** Writes the text, and closes our side. */
export function endStream(stream: Writable, text: SafeText, onFinish?: () => void): void {
  stream.end(text, onFinish);
}
