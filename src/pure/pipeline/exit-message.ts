import type { RunEndBody } from "../events/index.ts";

/** The message for a process that did not simply exit 0; undefined if there is nothing to report. */
export function exitMessage(end: RunEndBody): string | undefined {
  const how = howItEnded(end);
  if (how === undefined) return undefined;
  return end.tail === undefined ? how : `${how}: ${end.tail}`;
}

function howItEnded({ status, reason, signal, exitCode, stopped }: RunEndBody): string | undefined {
  if (stopped === "log") return "The log could not be written, so the agent was stopped";
  if (stopped === "not-started") return undefined; // an earlier error says why
  if (stopped === "recorder-died") return "The recorder died before the agent had ended";
  if (stopped !== undefined && status === "completed") return undefined; // it had reported its result but did not exit
  if (stopped === "after-result" && reason !== "exit-forced") return undefined; // likewise, with a bad result
  if (status === "timed_out") return "Agent process timed out";
  if (status === "hung") return "Agent process printed nothing for too long";
  if (stopped === "cancel") return "Agent process was canceled";
  if (signal !== null) return `Agent process was ended by ${signal}`;
  if (exitCode !== null && exitCode !== 0) return `Agent process exited with code ${exitCode}`;
  return undefined;
}
