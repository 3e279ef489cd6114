import type { SafeText } from "./safe.ts";

export interface Posted {
  readonly body: SafeText;
  /** May hold the key of the server that it is sent to. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Sends a request to another server. */
export function post(address: string, { body, headers, signal }: Posted): Promise<Response> {
  return fetch(address, { method: "POST", headers: { "content-type": "application/json", ...headers }, body, signal });
}
