import { createHash } from "node:crypto";
import { closeSync, openSync, renameSync, unlinkSync } from "node:fs";
import { createGzip } from "node:zlib";
import { reasonOf } from "../../host/files/index.ts";
import { type RunManifest, rowOfRun } from "../../host/recording/index.ts";
import { recorded, writeFully } from "../../host/sink/index.ts";
import { HarnessError } from "../../pure/base/index.ts";
import type { Stream } from "../../pure/events/index.ts";
import type { RunPart } from "../../pure/timeline/index.ts";
import { type ExportedEvents, type Extents, exportedLog } from "./exported-log.ts";
import { readPageFile } from "./page-files.ts";
import { MOST_RAW, rawBytes } from "./raw-bytes.ts";
import { runAbout } from "./run-about.ts";
import { runPatch } from "./run-patch.ts";

/** A browser can hold this much. */
const LARGEST = 256 * 1024 * 1024;

export interface ExportOptions {
  readonly manifest: RunManifest;
  readonly directory: string;
  readonly files: string;
  readonly path: string;
  readonly isWritten: boolean;
  /** Default: all. */
  readonly events?: ExportedEvents;
  /** The most bytes of events in a file; for tests. */
  readonly largest?: number;
}

/**
 * Writes a run as one file that needs no server: the page's script and style and, compressed, the lines of the `log` view and the
 * bytes they came from. Its policy allows that script and nothing else. The file appears only when it is complete.
 */
export async function exportRun(options: ExportOptions): Promise<void> {
  const { manifest, directory, files, path, isWritten, events, largest = LARGEST } = options;
  const temporary = `${path}.tmp-${process.pid}`;
  const script = readPageFile(files, "page.js")
    .toString()
    .replaceAll(/<\/(script)/gi, "<\\/$1");
  const style = readPageFile(files, "page.css").toString();
  let fd: number | undefined;
  try {
    fd = openSync(temporary, "wx", 0o600);
    const to = fd;
    const put = (text: string) => write(to, text);
    put(head(script, style));
    const part = events === undefined ? undefined : partOf(events, manifest);
    const page = { row: rowOfRun(manifest, directory, isWritten), about: runAbout(manifest), ...(part && { part }) };
    const extents: Extents = new Map();
    const lines = exportedLog(manifest, directory, events ?? { first: 1, last: Number.POSITIVE_INFINITY }, largest, extents);
    await block(put, "log", headed(`${JSON.stringify(page)}\n`, lines));
    for (const stream of ["stdout", "stderr"] as const) {
      const { from, to } = (part && (extents.get(stream) ?? { from: 0, to: 0 })) ?? { from: 0, to: Number.POSITIVE_INFINITY };
      const start = Math.max(from, lost(manifest, stream));
      await block(put, stream, bytesOf(manifest, directory, stream, start, to), start);
    }
    await block(put, "patch", once(runPatch(directory)));
    put(`<script type="module">${script}</script>\n</body>\n</html>\n`);
    closeSync(fd);
    fd = undefined;
    renameSync(temporary, path);
  } catch (error) {
    if (fd !== undefined) {
      closeSync(fd);
      unlinkSync(temporary);
    }
    throw error instanceof HarnessError ? error : new HarnessError("output", `Cannot write ${path}: ${reasonOf(error)}.`, { cause: error });
  }
}

function head(script: string, style: string): string {
  const policy = [
    "default-src 'none'",
    `script-src '${digest(script)}'`,
    `style-src '${digest(style)}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>harness</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div id="page"><noscript>This file shows a recording with its own script. Allow scripts to see it.</noscript></div>
`;
}

function digest(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

/** Compressed and in base64, so that no text can end the script element. */
async function block(put: (text: string) => void, name: string, chunks: AsyncIterable<string | Buffer>, base = 0): Promise<void> {
  const gzip = createGzip({ level: 9 });
  const feed = (async () => {
    for await (const chunk of chunks) if (!gzip.write(chunk)) await new Promise((resolve) => gzip.once("drain", resolve));
    gzip.end();
  })();
  feed.catch((error: unknown) => gzip.destroy(error as Error));
  put(`<script type="text/plain" data-block="${name}" data-base="${base}">`);
  let rest = Buffer.alloc(0);
  for await (const chunk of gzip as AsyncIterable<Buffer>) {
    const bytes = Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % 3);
    put(`${bytes.subarray(0, whole).toString("base64")}\n`);
    rest = bytes.subarray(whole);
  }
  put(`${rest.toString("base64")}</script>\n`);
  await feed;
}

/** The first line describes the run; the others are its events. */
async function* headed(head: string, lines: AsyncIterable<string>): AsyncGenerator<string> {
  yield head;
  yield* lines;
}

function partOf({ first, last }: ExportedEvents, { id, sealed }: RunManifest): RunPart {
  const of = sealed?.events ?? null;
  if (of !== null && first > of)
    throw new HarnessError("usage", `The run ${id} has ${of} events; choose a range within 1-${of}.`, { option: "events" });
  return { first, last: Math.min(last, of ?? last), of };
}

/** Bytes before this offset are gone: the agent truncated its own output. */
function lost({ sealed }: RunManifest, stream: Stream): number {
  return sealed?.truncated?.filter((each) => each.stream === stream).at(-1)?.offset ?? 0;
}

async function* once(bytes: Buffer | undefined): AsyncGenerator<Buffer> {
  if (bytes !== undefined) yield bytes;
}

async function* bytesOf(manifest: RunManifest, directory: string, stream: Stream, from: number, to: number): AsyncGenerator<Buffer> {
  const end = Math.min(to, from + LARGEST);
  for (let at = from; at < end; ) {
    const bytes = rawBytes(manifest, directory, stream, at, Math.min(MOST_RAW, end - at));
    if (bytes === undefined || bytes.length === 0) return;
    at += bytes.length;
    yield bytes;
  }
}

function write(fd: number, text: string): void {
  const { error } = writeFully(fd, recorded(text));
  if (error !== undefined) throw error;
}
