// How a tool call of the Agent Client Protocol ended. Each adapter reports it in a different field.
import { type JsonObject, objectOf } from "../../base/index.ts";
import type { Ending } from "../../events/index.ts";
import { successOf as claudeSuccessOf, exitCodeOf } from "../claude/index.ts";
import { shellEnding } from "../gemini/index.ts";
import { commandInput } from "../tool-input.ts";
import type { AcpCall } from "./call.ts";
import { exitOf, metadataOf } from "./fields.ts";
import { GEMINI_SHELL, isAgentTool } from "./tools.ts";

/** A command that exits with 3 is `completed` for OpenCode, Kilo and Gemini. Only OpenCode and Kilo add the exit code. */
export function endingOf(call: AcpCall, line: JsonObject, isCompleted: boolean, output: string | undefined): Ending {
  const exit = exitOf(line);
  if (!isCompleted) return { success: false, exitCode: exit ?? (call.isClaudes ? exitCodeOf(output ?? "") : undefined) };
  if (typeof exit === "number") return { success: exit === 0, exitCode: exit };
  const raw = objectOf(line["rawOutput"]);
  if (exit === null || raw?.["timed_out"] === true || raw?.["success"] === false || call.key === "invalid") return { success: false };
  if (isBackground(call, line, output)) return {};
  if (call.isClaudes) return { success: claudeSuccessOf({}, call.response, output ?? "") };
  if (call.key === GEMINI_SHELL)
    return output === undefined ? {} : shellEnding(output, commandInput(objectOf(call.input) ?? {}) ?? call.title ?? "");
  return isAgentTool(call.key) && call.input === undefined ? {} : { success: true }; // Gemini's subagents are `completed` however they ended
}

/** Kilo and Goose also report `completed` for a task that only started. */
export function isBackground(call: AcpCall, line: JsonObject, output: string | undefined): boolean {
  if (metadataOf(line)["background"] === true || call.response?.["status"] === "async_launched") return true;
  if (!isAgentTool(call.key)) return false;
  return objectOf(call.input)?.["async"] === true || /^<task id="[^"]*" state="running">/.test(output ?? "");
}
