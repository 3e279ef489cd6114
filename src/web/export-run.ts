import { createHash } from "node:crypto";
import { closeSync, openSync, renameSync, unlinkSync } from "node:fs";
import { createGzip } from "node:zlib";
import { HarnessError } from "../core/errors.ts";
import type { Stream } from "../core/record.ts";
import { deriveRun } from "../derive/derive-run.ts";
import { agentOfRun } from "../own/agent-of-run.ts";
import { reasonOf } from "../store/log-error.ts";
import type { RunManifest } from "../store/run-manifest.ts";
import { writeFully } from "../store/write-fully.ts";
import { pageLog } from "../timeline/page-log.ts";
import { readPageFile } from "./page-files.ts";
import { MOST_RAW, rawBytes } from "./raw-bytes.ts";
import { rowOfRun } from "./row-of-run.ts";
import { runAbout } from "./run-about.ts";
import { runPatch } from "./run-patch.ts";

/** What a browser can be asked to hold. */
const LARGEST = 256 * 1024 * 1024;

export interface ExportOptions {
  readonly manifest: RunManifest;
  readonly directory: string;
  /** Where the page's own files are. */
  readonly files: string;
  readonly path: string;
  readonly isWritten: boolean;
}

/**
 * One run as one file that needs no server: the page's own script and style, and, compressed, the lines of the `log` view and the
 * bytes they came from. Its policy allows that script and nothing else. Written beside its place and put there when it is whole.
 */
export async function exportRun({ manifest, directory, files, path, isWritten }: ExportOptions): Promise<void> {
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
    const page = { row: rowOfRun(manifest, directory, isWritten), about: runAbout(manifest) };
    await block(put, "log", logOf(manifest, directory, page));
    for (const stream of ["stdout", "stderr"] as const) await block(put, stream, bytesOf(manifest, directory, stream));
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
<div id="page"><noscript>This file shows a recording with a script of its own; allow scripts for it.</noscript></div>
`;
}

function digest(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

/** Compressed, and in lines of base64, which no text can break out of. */
async function block(put: (text: string) => void, name: string, chunks: AsyncIterable<string | Buffer>): Promise<void> {
  const gzip = createGzip({ level: 9 });
  const feed = (async () => {
    for await (const chunk of chunks) if (!gzip.write(chunk)) await new Promise((resolve) => gzip.once("drain", resolve));
    gzip.end();
  })();
  feed.catch((error: unknown) => gzip.destroy(error as Error));
  put(`<script type="text/plain" data-block="${name}">`);
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

/** The first line is what is known of the run; the others are its events. */
async function* logOf(manifest: RunManifest, directory: string, page: object): AsyncGenerator<string> {
  yield `${JSON.stringify(page)}\n`;
  let bytes = 0;
  for await (const records of deriveRun(manifest, directory, await agentOfRun(manifest), pageLog)) {
    const text = records.map((record) => `${JSON.stringify(record)}\n`).join("");
    bytes += text.length;
    if (bytes > LARGEST)
      throw new HarnessError(
        "input",
        `The run ${manifest.id} is too large for one file (over ${LARGEST >> 20} MiB); harness view shows it.`,
      );
    if (text !== "") yield text;
  }
}

async function* once(bytes: Buffer | undefined): AsyncGenerator<Buffer> {
  if (bytes !== undefined) yield bytes;
}

async function* bytesOf(manifest: RunManifest, directory: string, stream: Stream): AsyncGenerator<Buffer> {
  const start = manifest.sealed?.truncated?.filter((each) => each.stream === stream).at(-1)?.offset ?? 0;
  if (start > 0) yield Buffer.alloc(Math.min(start, LARGEST)); // so that what is left keeps its places
  for (let at = start; at < LARGEST; ) {
    const bytes = rawBytes(manifest, directory, stream, at, MOST_RAW);
    if (bytes === undefined || bytes.length === 0) return;
    at += bytes.length;
    yield bytes;
  }
}

function write(fd: number, text: string): void {
  const { error } = writeFully(fd, Buffer.from(text));
  if (error !== undefined) throw error;
}
