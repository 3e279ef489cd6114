import type { BodyOf, RunEndBody } from "../events/index.ts";

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
  if (stopped === "out-of-memory") return "Agent process ran out of memory";
  if (stopped === "over-limit") return "Agent process exceeded a limit";
  if (stopped === "cancel") return "Agent process was canceled";
  if (signal !== null) return `Agent process was ended by ${signal}`;
  if (exitCode !== null && exitCode !== 0) return `Agent process exited with code ${exitCode}`;
  return undefined;
}

/** The error of a run that failed although its process exited with 0 and nothing reported an error. */
export function unexplained(end: RunEndBody): BodyOf<"error"> | undefined {
  const { status, reason } = end;
  if ((status !== "failed" && status !== "infrastructure") || exitMessage(end) !== undefined) return undefined;
  const message = WHY.get(reason) ?? `The agent reported a failure without a message (${reason})`;
  return { type: "error", message, code: reason, rule: "failed-without-error" };
}

const WHY = new Map([
  ["result-missing", "The agent exited with code 0 without reporting that it had finished"],
  ["nothing-happened", "The agent reported that it had finished, but said nothing and called no tool"],
  ["empty_turn", "The agent ended its turn without an answer"],
  ["no_answer", "The agent ended its turn without an answer"],
  ["loop_detected", "The agent stopped because it repeated itself"],
  ["mistake_limit", "The agent gave up after the same mistake again and again"],
  ["output_limit", "The model reached its output limit: its answer is cut off"],
  ["max_tokens", "The model reached its output limit: its answer is cut off"],
  ["turn-unfinished", "The agent exited with code 0 in the middle of a turn"],
  ["step-unfinished", "The agent exited with code 0 in the middle of a step"],
  ["evidence-lost", "Evidence was lost, so its success cannot be shown"],
]);
