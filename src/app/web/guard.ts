import type { IncomingMessage } from "node:http";

/** Why a request is rejected. */
export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 405 | 410 | 413 | 416 | 431 | 500 | 503;
  readonly message: string;
}

/** Accepts requests from the page itself and from the address bar. Rejects other sites, and other names for this machine (DNS rebinding). */
export function refusalOf(request: IncomingMessage, hosts: ReadonlySet<string>): Refusal | undefined {
  const { method, url = "", headers } = request;
  if (method !== "GET" && method !== "HEAD") return { status: 405, message: "Only GET and HEAD are allowed: this page is read-only." };
  const named = headersOf(request, "host");
  const host = named[0];
  if (named.length !== 1 || host === undefined || !hosts.has(host.toLowerCase()))
    return { status: 403, message: "The Host header does not name this server." };
  if (!/^\/(?!\/)[\x21-\x7e]*$/.test(url) || url.length > LONGEST) return { status: 400, message: "This page has no such address." };
  const origins = headersOf(request, "origin");
  if (origins.some((origin) => origin !== `http://${host}`)) return { status: 403, message: "Other sites may not read this page." };
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none")
    return { status: 403, message: "Other sites may not read this page." };
  return undefined;
}

const LONGEST = 4096;

/** Every value of a header as it was sent; Node reports only the first of two. */
function headersOf({ rawHeaders }: IncomingMessage, name: string): readonly string[] {
  return rawHeaders.flatMap((value, i) => (i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name ? [value] : []));
}
