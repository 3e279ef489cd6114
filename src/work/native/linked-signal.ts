import { setMaxListeners } from "node:events";

/** A signal that follows another one and can also be aborted alone; `end` disconnects the two. */
export function linkedSignal(other: AbortSignal | undefined): { readonly signal: AbortSignal; end(): void } {
  const own = new AbortController();
  setMaxListeners(0, own.signal); // many calls may wait for it
  const follow = () => own.abort(other?.reason);
  if (other?.aborted) follow();
  other?.addEventListener("abort", follow, { once: true });
  return {
    signal: own.signal,
    end() {
      other?.removeEventListener("abort", follow);
      if (!own.signal.aborted) own.abort();
    },
  };
}
