import { clip, clipStart, columnsOf, compact, duration } from "../../../pure/base/index.ts";
import { atLeast, noTokens, type PartialUsage, type Tokens } from "../../../pure/events/index.ts";
import { colors } from "../../terminal/index.ts";
import { describeCall } from "./describe-call.ts";
import type { OpenCall, RunState, Speech } from "./run-state.ts";

const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;
const FRAME_MS = 100;
/** Less room than this is useless for the activity. */
const LEAST = 12;
/** A longer call shows its duration. */
const SHORT_MS = 2000;

/** `⠋ 12 s · 16.9K in, 579 out · $ npm test`, in less than `columns` columns. */
export function statusLine(state: RunState, { elapsed, now, columns }: { elapsed: number; now: number; columns: number }): string {
  const room = Math.max(1, columns - 1); // a terminal may wrap when its last column is full
  const frame = SPINNER[Math.floor(now / FRAME_MS) % SPINNER.length] ?? "";
  const time = duration(elapsed, 0);
  const tokens = tokensSoFar(state.summary());
  const facts = tokens === "" || columnsOf(`${time} · ${tokens}`) + 2 + LEAST > room ? time : `${time} · ${tokens}`;
  const head = clip(facts, Math.max(1, room - 2));
  const left = room - 2 - columnsOf(head) - 3;
  const doing = left < LEAST ? "" : activityOf(state, now, left);
  if (room < 3) return colors.cyan(frame);
  return `${colors.cyan(frame)} ${colors.dim(head)}${doing === "" ? "" : `${colors.dim(" · ")}${doing}`}`;
}

/** `16.9K in, 579 out`, or of a part of the run `≥ 16.9K in, 579 out`; empty if unknown. */
export function tokensSoFar({ usage, partialUsage }: { readonly usage: Tokens | null; readonly partialUsage?: PartialUsage }): string {
  const { input, cacheRead, cacheWrite, output, reasoning } = partialUsage?.tokens ?? usage ?? noTokens;
  const parts = [amount([input, cacheRead, cacheWrite], "in"), amount([output, reasoning], "out")].filter(Boolean);
  return atLeast(parts.join(", "), parts.length > 0 && partialUsage !== undefined);
}

function amount(classes: readonly (number | null)[], name: string): string {
  const sum = classes.reduce<number>((total, count) => total + (count ?? 0), 0);
  return sum === 0 ? "" : `${compact(sum)} ${name}`;
}

/** The open calls, else the incomplete message, else the progress of a subagent. */
function activityOf(state: RunState, now: number, room: number): string {
  const open = [...state.calls.values()];
  const working = open.filter(({ hasOwnRows }) => !hasOwnRows);
  const newest = working[working.length - 1];
  if (newest !== undefined) return underWay(newest, working.length - 1, state, now, room);
  const speech = state.speech();
  if (speech !== undefined) return spoken(speech, room);
  const progress = open.findLast((call) => call.progress !== "")?.progress;
  if (progress !== undefined) return clip(progress, room);
  return state.hasBegun() ? "" : clip(`starting ${state.run.agent}`, room);
}

function underWay({ start, since, progress }: OpenCall, others: number, state: RunState, now: number, room: number): string {
  const { verb, text } = describeCall(start, state.run.cwd);
  const waited = now - since < SHORT_MS ? "" : `  ${duration(now - since, 0)}`;
  const more = `${waited}${others > 0 ? `  +${others} more` : ""}`;
  const left = room - columnsOf(verb) - 1 - more.length;
  if (left < 1) return clip(verb, room);
  return `${colors.cyan(verb)} ${clip(progress === "" ? text : `${text} · ${progress}`, left)}${colors.dim(more)}`;
}

/** The end of the message, because that is new. */
function spoken({ thinking, tail }: Speech, room: number): string {
  const text = tail.text().replace(/\s+/g, " ").trim();
  return thinking ? colors.dim(`∴ ${clipStart(text, room - 2)}`) : clipStart(text, room);
}
