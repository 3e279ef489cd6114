import type { IncomingMessage } from "node:http";

/** Why a request is not answered. */
export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 405 | 410 | 413 | 416 | 431 | 500 | 503;
  readonly words: string;
}

/** Whether it comes from the page itself, or from somebody who typed the address: no other site, no other name for this machine. */
export function refusalOf(request: IncomingMessage, hosts: ReadonlySet<string>): Refusal | undefined {
  const { method, url = "", headers } = request;
  if (method !== "GET" && method !== "HEAD") return { status: 405, words: "Only GET: this page changes nothing." };
  const named = headersOf(request, "host");
  const host = named[0];
  if (named.length !== 1 || host === undefined || !hosts.has(host.toLowerCase()))
    return { status: 403, words: "This server does not go by that name." };
  if (!/^\/(?!\/)[\x21-\x7e]*$/.test(url) || url.length > LONGEST) return { status: 400, words: "That is not an address of this page." };
  const origins = headersOf(request, "origin");
  if (origins.some((origin) => origin !== `http://${host}`)) return { status: 403, words: "Another site may not read this page." };
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none")
    return { status: 403, words: "Another site may not read this page." };
  return undefined;
}

const LONGEST = 4096;

/** Every value of a header, as it was sent: Node shows only the first of two. */
function headersOf({ rawHeaders }: IncomingMessage, name: string): readonly string[] {
  return rawHeaders.flatMap((value, i) => (i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name ? [value] : []));
}
