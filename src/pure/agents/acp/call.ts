import type { JsonObject } from "../../base/index.ts";
import type { RecordRef } from "../../events/index.ts";
import type { Effect } from "./tools.ts";

/** What is known of a call that has not ended. Updates replace a field that they hold, and leave the others. */
export interface AcpCall {
  readonly callId: string;
  readonly parent: string | undefined;
  /** Where it was first mentioned, and where its request was last told. */
  readonly first: RecordRef;
  last: RecordRef;
  name: string | undefined;
  /** The name as it is looked up; empty where there is none. */
  key: string;
  kind: string | undefined;
  title: string | undefined;
  input: unknown;
  locations: readonly unknown[];
  written: readonly string[];
  explanation: string | undefined;
  /** Claude Code's own account of the result, which comes before the end. */
  response: JsonObject | undefined;
  /** It is a tool of Claude Code, whose shell lives on from one command to the next. */
  isClaudes: boolean;
  /** Output that came in pieces. */
  output: string;
  /** Somebody was asked to permit it. */
  asked: boolean;
  /** What we answered, where it was us. */
  decided: "allow" | "deny" | undefined;
  /** What it was called and does, as it was told; undefined while it was not. */
  told: (Effect & { readonly tool: string }) | undefined;
}
