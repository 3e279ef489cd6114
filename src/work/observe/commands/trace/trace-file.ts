import { createHash } from "node:crypto";
import { closeSync, createReadStream, fstatSync, unlinkSync } from "node:fs";
import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { openPrivate } from "../../../../host/files/index.ts";
import { maskedLater, writeFully } from "../../../../host/sink/index.ts";
import { errorWords, HarnessError } from "../../../../pure/base/index.ts";
import { ownLines } from "./own-lines.ts";

/** strace ends with the last process that it follows. One that still runs then has left the run, and strace ends with the sweep. */
const LAST_LINES_MS = 5000;
/** strace shortens strings and lists, so its lines are far shorter. */
const LONGEST_LINE = 16 * 1024 * 1024;

export const CHANGED = "The trace was changed by another process, so it shows nothing for certain.";

/**
 * What strace reported so far, in a file without a name. The agent can still reach it through our descriptor, so its contents are checked
 * when they are read.
 */
export interface TraceFile {
  /** Keeps what strace writes. Resolves when it has reported the end of the program, or can report no more. */
  follow(channel: Readable): Promise<void>;
  /** The lines, after the end of strace. The last one may be incomplete. Throws if another process has changed the file. */
  read(push: (line: string) => void): Promise<void>;
  close(): void;
  readonly fd: number;
}

export function traceFile(path: string): TraceFile {
  const { fd } = openPrivate(path, { exclusive: true });
  unlinkSync(path);
  const hash = createHash("sha256");
  let size = 0;
  let problem: unknown;
  let rest = "";
  let ended: Promise<void> = Promise.resolve();

  function keep(text: string): void {
    if (problem !== undefined || text === "") return;
    const bytes = Buffer.from(text, "latin1");
    hash.update(bytes);
    size += bytes.length;
    problem = writeFully(fd, maskedLater(bytes)).error;
  }

  return {
    fd,
    follow(channel) {
      let over = () => {};
      const reported = new Promise<void>((resolve) => {
        over = resolve;
      });
      const own = ownLines(() => over());
      channel.setEncoding("latin1");
      channel.on("data", (piece: string) => {
        const lines = (rest + piece).split("\n");
        rest = lines.pop() ?? "";
        if (rest.length > LONGEST_LINE) problem ??= new HarnessError("input", CHANGED);
        let text = "";
        for (const line of lines) {
          const kept = own(line);
          if (kept !== undefined) text += `${kept}\n`;
        }
        keep(text);
      });
      ended = new Promise((resolve) => {
        channel.on("error", () => {}); // `close` follows
        channel.on("close", () => resolve());
      });
      return Promise.race([reported, ended]);
    },
    async read(push) {
      await Promise.race([ended, pause(LAST_LINES_MS, undefined, { ref: false })]);
      if (problem !== undefined) throw new HarnessError("output", `The trace could not be kept: ${errorWords(problem)}`);
      const found = createHash("sha256");
      let begun = "";
      if (fstatSync(fd).size !== size) throw new HarnessError("input", CHANGED);
      for await (const piece of createReadStream(path, { fd, start: 0, autoClose: false })) {
        found.update(piece);
        const lines = (begun + piece.toString("latin1")).split("\n");
        begun = lines.pop() ?? "";
        for (const line of lines) push(line);
      }
      if (found.digest("hex") !== hash.copy().digest("hex")) throw new HarnessError("input", CHANGED);
    },
    close: () => closeSync(fd),
  };
}
