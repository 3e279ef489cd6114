import type { Operation, RelayAnswer } from "../../pure/events/index.ts";

/** An agent asks for permission. The texts are the agent's own. */
export interface PermissionRequest {
  /** The agent's session that asks. */
  readonly sessionId?: string;
  readonly callId?: string;
  readonly tool?: string;
  /** As reported by the agent: `read`, `edit`, `delete`, `move`, `search`, `execute`, `think`, `fetch`, `switch_mode`, `other`. */
  readonly kind?: string;
  readonly title?: string;
  /** The command, if permission to run one is requested. */
  readonly command?: string;
  /** The directory of the agent's shell, if that is known. */
  readonly directory?: string;
  /** What the call would do, as far as we understand it. */
  readonly operations: readonly Operation[];
  readonly input?: unknown;
  /** The answers the agent offers. */
  readonly options: readonly PermissionOption[];
}

export interface PermissionOption {
  readonly id: string;
  readonly name?: string;
  /** `allow_once`, `allow_always`, `reject_once`, `reject_always` */
  readonly kind?: string;
}

/** An answer, and the agent's option that it chooses. An option that says the opposite of the decision is not chosen. */
export type PermissionAnswer = RelayAnswer | (Exclude<RelayAnswer, string> & { readonly optionId?: string });

/** Decides for the user. If it throws, or its answer is not valid, the request is denied. */
export type OnPermission = (request: PermissionRequest, signal: AbortSignal) => PermissionAnswer | Promise<PermissionAnswer>;
