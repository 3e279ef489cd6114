import type { Operation } from "../../../pure/events/index.ts";

/** An agent asks whether it may do something. Its words are the agent's own. */
export interface PermissionRequest {
  /** The session of the agent's that asks. */
  readonly sessionId?: string;
  readonly callId?: string;
  readonly tool?: string;
  /** `read`, `edit`, `delete`, `move`, `search`, `execute`, `think`, `fetch`, `switch_mode`, `other`: as the agent says. */
  readonly kind?: string;
  readonly title?: string;
  /** The command, where it is one that is asked for. */
  readonly command?: string;
  /** What the call would do, as far as we understand it. */
  readonly operations: readonly Operation[];
  readonly input?: unknown;
  /** The answers that the agent offers. */
  readonly options: readonly PermissionOption[];
}

export interface PermissionOption {
  readonly id: string;
  readonly name?: string;
  /** `allow_once`, `allow_always`, `reject_once`, `reject_always` */
  readonly kind?: string;
}

export type PermissionAnswer =
  | "allow"
  | "deny"
  | { readonly decision: "allow" | "deny"; readonly reason?: string; readonly optionId?: string };

/** Decides in the user's place. What it throws is a refusal. */
export type OnPermission = (request: PermissionRequest, signal: AbortSignal) => PermissionAnswer | Promise<PermissionAnswer>;
