import type { IncomingMessage } from "node:http";

/** Why a request is rejected. */
export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 405 | 410 | 413 | 416 | 431 | 500 | 503;
  readonly message: string;
}

/** What a listener accepts. */
export interface Rules {
  /** `127.0.0.1:4680` and the other names of this server. */
  readonly hosts: ReadonlySet<string>;
  /** Default: all. */
  readonly methods?: readonly string[];
  /** The largest `content-length`. 0 also rejects a body without one. */
  readonly mostBytes: number;
  /** Addresses without data that other sites may link to. */
  readonly landings?: readonly string[];
}

const LONGEST = 4096;

/** Accepts requests of programs on this machine and of the server's own page. Rejects other sites, and other names for this machine (DNS rebinding). */
export function refusalOf(request: IncomingMessage, { hosts, methods, mostBytes, landings = [] }: Rules): Refusal | undefined {
  const { method = "", url = "", headers } = request;
  if (methods?.includes(method) === false) return { status: 405, message: `Only ${methods.join(", ")} are allowed here.` };
  const named = headersOf(request, "host");
  const host = named[0];
  if (named.length !== 1 || host === undefined || !hosts.has(host.toLowerCase()))
    return { status: 403, message: "The Host header does not name this server." };
  if (!/^\/(?!\/)[\x21-\x7e]*$/.test(url) || url.length > LONGEST)
    return { status: 400, message: "This server does not have this address." };
  const site = headers["sec-fetch-site"];
  const isLink = headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document" && landings.includes(url);
  const isForeign = site !== undefined && site !== "same-origin" && site !== "none" && !isLink;
  if (isForeign || headersOf(request, "origin").some((origin) => origin !== `http://${host}`))
    return { status: 403, message: "Other sites may not use this server." };
  const length = Number(headers["content-length"] ?? 0);
  if (!(length <= mostBytes) || (mostBytes === 0 && headers["transfer-encoding"] !== undefined))
    return { status: 413, message: `The body is larger than ${mostBytes} bytes.` };
  return undefined;
}

/** Every value of a header as it was sent; Node reports only the first of two. */
function headersOf({ rawHeaders }: IncomingMessage, name: string): readonly string[] {
  return rawHeaders.flatMap((value, i) => (i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name ? [value] : []));
}
