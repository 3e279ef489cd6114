import type { JsonObject } from "../../base/index.ts";
import type { RecordRef } from "../../events/index.ts";
import type { Effect } from "./tools.ts";

/** A call that has not ended. An update replaces only the fields it contains. */
export interface AcpCall {
  readonly callId: string;
  readonly parent: string | undefined;
  /** When it was first mentioned. */
  readonly since: number;
  /** The record of its first mention, and the record of its last request. */
  readonly first: RecordRef;
  last: RecordRef;
  name: string | undefined;
  /** The normalized name; empty if it has none. */
  key: string;
  kind: string | undefined;
  title: string | undefined;
  input: unknown;
  locations: readonly unknown[];
  written: readonly string[];
  explanation: string | undefined;
  /** Claude Code's report of the result, which arrives before the end. */
  response: JsonObject | undefined;
  /** A tool of Claude Code, which keeps one shell across commands. */
  isClaudes: boolean;
  /** Output that arrived in pieces. */
  output: string;
  /** The agent asked for permission. */
  asked: boolean;
  /** Our answer, if we gave one. */
  decided: "allow" | "deny" | undefined;
  /** The name and effect already emitted; undefined until then. */
  emitted: (Effect & { readonly tool: string }) | undefined;
}
