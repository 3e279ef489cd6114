// Version 2 of the Agent Client Protocol, a draft: whole messages, session state, and terminals that the agent runs itself. Written from
// the schema; no agent that speaks it was available to run.
import { arrayOf, isObject, type JsonObject, numberOf, objectOf, stringOf, wordOf } from "../../base/index.ts";
import type { Voice } from "./voices.ts";

export const WHOLE: ReadonlyMap<string, Voice> = new Map([
  ["agent_message", "text"],
  ["agent_thought", "thought"],
  ["user_message", "user"],
]);

/** The text of a whole message; undefined if the update only names one. */
export function wholeText(update: JsonObject): string | undefined {
  return arrayOf(update["content"])
    ?.map((block) => stringOf(objectOf(block)?.["text"]) ?? "")
    .join("");
}

/** A tool call shows a terminal, and separate updates report its command and exit. This joins them into updates of version 1. */
export function acpTerminals() {
  const shownIn = new Map<string, string>(); // terminal id → call id
  const exits = new Map<string, number | null>(); // by call id

  return {
    /** The call's update, with what its terminal reported. */
    joined(update: JsonObject, callId: string): JsonObject {
      for (const item of arrayOf(update["content"]) ?? []) {
        const terminal = isObject(item) && item["type"] === "terminal" ? wordOf(item["terminalId"]) : undefined;
        if (terminal !== undefined) shownIn.set(terminal, callId);
      }
      const exit = exits.get(callId);
      if (exit === undefined || (update["rawOutput"] ?? undefined) !== undefined) return update;
      return { ...update, rawOutput: exit === null ? { success: false } : { exit_code: exit } };
    },
    /** Turns a terminal's update into one of the call that shows it; undefined if no call does. */
    ofCall(update: JsonObject): JsonObject | undefined {
      const callId = shownIn.get(wordOf(update["terminalId"]) ?? "");
      if (callId === undefined) return undefined;
      const status = objectOf(update["exitStatus"]);
      if (status !== undefined) exits.set(callId, numberOf(status["exitCode"]) ?? null); // no code: a signal ended it
      const command = wordOf(update["command"]);
      return { toolCallId: callId, ...(command !== undefined && { rawInput: { command, cwd: update["cwd"] } }) };
    },
  };
}

/** The call that a permission request is about. */
export function permittedCall(params: JsonObject): JsonObject | undefined {
  const subject = objectOf(params["subject"]);
  if (subject === undefined) return undefined;
  const command = wordOf(subject["command"]);
  if (command === undefined) return objectOf(subject["toolCall"]);
  return { toolCallId: subject["toolCallId"], kind: "execute", rawInput: { command, cwd: subject["cwd"] } };
}
