import { type RelayAnswer, type RelayVerdict, readAnswer } from "../../pure/events/index.ts";

/** Questions that wait for an answer, by id. */
export interface Relays {
  /** Waits for the answer; undefined if `signal` is aborted first. */
  ask(id: string, signal: AbortSignal): Promise<RelayVerdict | undefined>;
  /** False if none waits for it: it was answered already, or never asked. */
  resolve(id: string, answer: RelayAnswer): boolean;
}

export function openRelays(): Relays {
  const open = new Map<string, (answer: RelayVerdict | undefined) => void>();
  return {
    ask: (id, signal) =>
      new Promise((resolve) => {
        const settle = (answer: RelayVerdict | undefined) => {
          open.delete(id);
          signal.removeEventListener("abort", leave);
          resolve(answer);
        };
        const leave = () => settle(undefined);
        open.set(id, settle);
        if (signal.aborted) leave();
        else signal.addEventListener("abort", leave, { once: true });
      }),
    resolve(id, answer) {
      const settle = open.get(id);
      settle?.(readAnswer(answer));
      return settle !== undefined;
    },
  };
}
