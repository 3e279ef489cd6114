import { authorization } from "./token.ts";

/** A failed request. `status` is 0 if the server does not answer. */
export class AskError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export async function ask(path: string, signal?: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: "omit", headers: authorization(), ...(signal && { signal }) });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new AskError(0, "The server does not answer.");
  }
  if (response.ok) return response;
  throw new AskError(response.status, (await response.text()).trim());
}

export async function askJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await ask(path, signal)).json() as Promise<T>;
}
