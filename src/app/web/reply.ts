import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import type { Refusal } from "../../host/listen/index.ts";
import { hideSecrets } from "../../host/secrets/index.ts";
import { own, ownBytes, type SafeBytes, type SafeText } from "../../host/sink/index.ts";
import { headers } from "./headers.ts";

export function sendJson(response: ServerResponse, value: unknown): void {
  send(response, "application/json; charset=utf-8", hideSecrets(JSON.stringify(value)));
}

export function send(
  response: ServerResponse,
  type: string,
  body: SafeText | SafeBytes,
  more: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(200, { ...headers, "content-type": type, "content-length": Buffer.byteLength(body), ...more });
  response.end(body);
}

/** Sends a part of a longer answer. False: the client should read first. */
export function sendPart(response: ServerResponse, text: SafeText): boolean {
  return response.write(text);
}

/** Plain text, which the page shows. */
export function refuse(response: ServerResponse, { status, message }: Refusal): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body = own`${hideSecrets(message)}\n`;
  const allow = status === 405 ? { allow: "GET, HEAD" } : {};
  response.writeHead(status, {
    ...headers,
    "content-type": "text/plain; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    connection: "close",
    ...allow,
  });
  response.end(body);
}

/** A static file of the page, compressed once. */
export interface PageFile {
  readonly type: string;
  readonly bytes: SafeBytes;
  readonly zipped: SafeBytes;
}

export function pageFile(type: string, bytes: Buffer): PageFile {
  return { type, bytes: ownBytes(bytes), zipped: ownBytes(gzipSync(bytes, { level: 9 })) };
}

export function sendFile(response: ServerResponse, { type, bytes, zipped }: PageFile, accepts: string | undefined): void {
  const takesZip = /\bgzip\b/.test(accepts ?? "");
  send(response, type, takesZip ? zipped : bytes, takesZip ? { "content-encoding": "gzip" } : {});
}
