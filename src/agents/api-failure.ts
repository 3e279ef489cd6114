import type { RunStatus } from "../core/event.ts";

/** HTTP statuses that are about the account or the provider, not about what the agent did. */
const NOT_THE_AGENT = new Set([401, 402, 403, 407, 408, 429]);

/** What the agent was asked or answered, whatever the transport says about it. */
const THE_REQUEST = /content_filter|context.?(window|length)/i;

/** Money: some providers say it with HTTP 400. */
const BILLING = /\b(usage.?limit|quota|billing\w*|credit balance|upgrade to)\b/i;

const PROVIDER =
  /\b(rate.?limit|overloaded|high demand|at capacity|unauthori[sz]ed|authentication\w*|not logged in|api.?key|missing environment variable|connection\w*|network error|transport error|stream disconnected|timed? ?out|ECONN\w+|ENOTFOUND|server.?error|service unavailable|bad gateway)\b/i;

/**
 * How a run ended whose model request failed: `infrastructure` when the provider was down, limiting or refused the
 * credentials, `failed` when it refused the request itself (400, 404, a context that is too long).
 */
export function apiFailure(status: number | undefined, ...words: readonly (string | undefined)[]): RunStatus {
  const text = words.filter((word) => word !== undefined).join(" ");
  if (THE_REQUEST.test(text)) return "failed";
  if (BILLING.test(text)) return "infrastructure";
  const code = status ?? statusIn(text);
  if (code !== undefined) return code >= 500 || NOT_THE_AGENT.has(code) ? "infrastructure" : "failed";
  return PROVIDER.test(text) ? "infrastructure" : "failed";
}

/** "unexpected status 401 Unauthorized", "last status: 429 Too Many Requests", "API Error: 400 …" */
function statusIn(text: string): number | undefined {
  const match = /\b(?:status|error):?\s+(\d{3})\b/i.exec(text);
  return match?.[1] === undefined ? undefined : Number(match[1]);
}
