// What version 2 of the Agent Client Protocol, a draft, tells in other words than version 1: whole messages, the state of a session, and
// terminals that are the agent's own. Read in its schema; no agent that speaks it was ever run. Part of acp.ts.
import { arrayOf, isObject, type JsonObject, numberOf, objectOf, stringOf, wordOf } from "../../base/index.ts";
import type { Voice } from "./voices.ts";

/** Whose words a whole message is. */
export const WHOLE: ReadonlyMap<string, Voice> = new Map([
  ["agent_message", "text"],
  ["agent_thought", "thought"],
  ["user_message", "user"],
]);

/** The text of a whole message; undefined where it only names one. */
export function wholeText(update: JsonObject): string | undefined {
  return arrayOf(update["content"])
    ?.map((block) => stringOf(objectOf(block)?.["text"]) ?? "")
    .join("");
}

/** A terminal is shown in a call, and tells beside it what runs there and how that ended: the call is told so in the words of version 1. */
export function acpTerminals() {
  const shownIn = new Map<string, string>(); // the call, by the terminal
  const exits = new Map<string, number | null>(); // by the call

  return {
    /** The update of a call, with what its terminal has told. */
    joined(update: JsonObject, callId: string): JsonObject {
      for (const item of arrayOf(update["content"]) ?? []) {
        const terminal = isObject(item) && item["type"] === "terminal" ? wordOf(item["terminalId"]) : undefined;
        if (terminal !== undefined) shownIn.set(terminal, callId);
      }
      const exit = exits.get(callId);
      if (exit === undefined || (update["rawOutput"] ?? undefined) !== undefined) return update;
      return { ...update, rawOutput: exit === null ? { success: false } : { exit_code: exit } };
    },
    /** A terminal's own update, as one of the call that shows it; undefined where none does. */
    ofCall(update: JsonObject): JsonObject | undefined {
      const callId = shownIn.get(wordOf(update["terminalId"]) ?? "");
      if (callId === undefined) return undefined;
      const status = objectOf(update["exitStatus"]);
      if (status !== undefined) exits.set(callId, numberOf(status["exitCode"]) ?? null); // none: it was ended by a signal
      const command = wordOf(update["command"]);
      return { toolCallId: callId, ...(command !== undefined && { rawInput: { command, cwd: update["cwd"] } }) };
    },
  };
}

/** What a permission is asked for, as the call that it is about. */
export function permittedCall(params: JsonObject): JsonObject | undefined {
  const subject = objectOf(params["subject"]);
  if (subject === undefined) return undefined;
  const command = wordOf(subject["command"]);
  if (command === undefined) return objectOf(subject["toolCall"]);
  return { toolCallId: subject["toolCallId"], kind: "execute", rawInput: { command, cwd: subject["cwd"] } };
}
