import { isObject } from "../../pure/base/index.ts";
import type { CallRule, RelayAnswer } from "../../pure/events/index.ts";

/** An answer that was read: only a clear permission allows a call. */
export type RelayVerdict =
  | { readonly decision: "allow"; readonly always: boolean | CallRule }
  | { readonly decision: "deny"; readonly reason: string };

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
      settle?.(verdictOf(answer));
      return settle !== undefined;
    },
  };
}

const NOT_PERMITTED = "It was not permitted.";

/** Programs without types may answer anything. What is not a permission is a denial. */
function verdictOf(answer: unknown): RelayVerdict {
  const given = isObject(answer) ? answer : {};
  const { decision, approved, always, reason } = given;
  const said = [decision === undefined ? undefined : decision === "allow", approved === undefined ? undefined : approved === true];
  if (!said.includes(true) || said.includes(false))
    return { decision: "deny", reason: typeof reason === "string" && reason !== "" ? reason : NOT_PERMITTED };
  return { decision: "allow", always: isRule(always) ? always : always === true };
}

function isRule(value: unknown): value is CallRule {
  if (!isObject(value) || typeof value["tool"] !== "string") return false;
  const { params } = value;
  return params === undefined || (isObject(params) && Object.values(params).every((glob) => typeof glob === "string"));
}
