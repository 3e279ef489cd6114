// What an agent that speaks the Agent Client Protocol did in the current turn.

import type { RecordRef } from "../../events/index.ts";
import type { Failure } from "./adapter-text.ts";

interface State {
  /** A turn has ended. */
  hasResult: boolean;
  /** The turn went wrong, and the agent has not continued since. */
  failure: Failure | undefined;
  /** Text that Codex's adapter wrote itself. If the turn ends with it, it was an error. */
  aside: { readonly text: string; readonly from: RecordRef } | undefined;
  /** We denied a permission, and the agent has not continued since. */
  refused: boolean;
  /** The id of the last response to a prompt, until another line follows. */
  answered: unknown;
  /** The agent said or did something in this turn. */
  active: boolean;
  /** The model spoke after its last call in this turn. */
  hasAnswer: boolean;
  /** The agent reported that its answer is cut off. */
  isCut: boolean;
  /** An error that the adapter printed as text; its response may repeat it. */
  lastError: string | undefined;
  /** A session is loading: updates repeat the work of earlier runs. */
  isHistory: boolean;
}

export function turnState(): State {
  return {
    hasResult: false,
    answered: undefined,
    failure: undefined,
    aside: undefined,
    refused: false,
    active: false,
    hasAnswer: false,
    isCut: false,
    isHistory: false,
    lastError: undefined,
  };
}
