import type { RunStatus } from "../events/index.ts";

/** HTTP statuses that blame the account or the provider, not the agent. */
const NOT_THE_AGENT = new Set([401, 402, 403, 407, 408, 429]);

/** The prompt or the answer was at fault, whatever the HTTP status says. */
const THE_REQUEST = /content_filter|context.?(window|length)/i;

/** Billing problems; some providers report them with HTTP 400. `_` counts as a word break, as in `insufficient_quota`. */
const BILLING = /(?<![a-z0-9])(usage.?limit|quota|billing|credit balance|upgrade to)/i;

/** The provider is down, limits requests or rejects the account. Matches word prefixes, so that `rate_limit_error` counts. */
const PROVIDER =
  /(?<![a-z0-9])(rate.?limit|too many requests|overloaded|high demand|at capacity|unauthori[sz]ed|authentication|oauth|not logged in|please run \/login|account.on.hold|verification.required|api.?key|missing environment variable|server.?error|api_error|service unavailable|bad gateway|gateway time|upstream)/i;

/** A broken connection, as Node, undici, reqwest and the agents report it. `terminated` alone is undici's. */
const LINE =
  /(?<![a-z0-9])(connection|network error|transport error|stream disconnected|stream ended without|without sending any chunks|premature|timed? ?out|fetch failed|socket hang up|(web)?socket (closed|error)|other side closed|getaddrinfo|ECONN|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|UND_ERR)|(^|error:) *\[?terminated\b/i;

/**
 * The status of a run whose model request failed: `infrastructure` if the provider was down, limited requests or rejected the
 * credentials; `failed` if it rejected the request itself (400, 404, a context that is too long).
 */
export function apiFailure(status: number | undefined, ...messages: readonly (string | undefined)[]): RunStatus {
  const text = messages.filter((message) => message !== undefined).join(" ");
  if (THE_REQUEST.test(text)) return "failed";
  if (BILLING.test(text)) return "infrastructure";
  const code = status ?? statusIn(text);
  if (code !== undefined) return code >= 500 || NOT_THE_AGENT.has(code) ? "infrastructure" : "failed";
  return PROVIDER.test(text) || LINE.test(text) ? "infrastructure" : "failed";
}

/** "unexpected status 401 Unauthorized", "last status: 429 Too Many Requests", "API Error: 400 …", "401 invalid api key", "HTTP 503" */
function statusIn(text: string): number | undefined {
  const match = /^\s*([45]\d\d)\b(?![.,]\d)|\b(?:status(?: code)?|error|http):?\s+(\d{3})\b/i.exec(text);
  const digits = match?.[1] ?? match?.[2];
  return digits === undefined ? undefined : Number(digits);
}
