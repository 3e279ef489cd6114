import type { LogRecord } from "../../src/pure/events/index.ts";

type Step = NonNullable<LogRecord["said"]>;

/** Names that agents give their notices, if splitting the name at its dashes does not make it readable. */
const TITLES: ReadonlyMap<string, string> = new Map([
  ["api_req_started", "Request to the model"],
  ["api_req_failed", "Request to the model failed"],
  ["auth_status", "Signed in"],
  ["auto_retry_end", "Retry finished"],
  ["bashExecution", "Shell command"],
  ["current_mode_update", "Mode changed"],
  ["entry_appended", "Note in the session"],
  ["informational", "Note"],
  ["info", "Note"],
  ["mistake", "Failed calls"],
  ["synthetic", "Message from the program, not from the model"],
  ["turn_diff", "Changes so far"],
]);

export function noticeTitle(kind: string): string {
  return TITLES.get(kind) ?? inWords(kind);
}

/** `background_tasks_changed` is “Background tasks changed”. */
export function inWords(name: string): string {
  const text = name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[_\-/]+/g, " ")
    .trim()
    .toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A step inside our own agent. Its calls of the model are runs of the agent “provider”. */
export function innerStep(said: Step): string {
  if (said.type === "harness_start")
    return said.agent === "provider" ? `Asks the model ${said.model ?? ""}` : `Agent ${said.agent ?? ""} starts`;
  if (said.type === "harness_end") return said.reason === "final" ? "The model answered" : `The model ended: ${inWords(said.reason)}`;
  return inWords(said.type);
}
