import type { Writable } from "node:stream";
import type { Event, FactBody, Line, Stop, Stream } from "../../../pure/events/index.ts";
import type { LivePolicy } from "../../permissions/index.ts";
import type { Conversation, converse, Launched } from "../../process/index.ts";
import { maskText } from "../../secrets/index.ts";
import { forProgram, own, writeStream } from "../../sink/index.ts";
import type { OpenDirectory } from "./run-directory.ts";
import type { RunOptions } from "./run-options.ts";
import type { RunPlan } from "./run-plan.ts";

/** Passed in by the caller, who has loaded it: most runs never need it. */
export type Speak = typeof converse;

/** The conversation with an agent, as part of its run. */
export interface Talk {
  started(agent: Launched): void;
  see(events: readonly Event[]): void;
  /** What the agent printed, after it was recorded. */
  read(stream: Stream, lines: readonly Line[]): void;
  /** What to send before it is stopped; resolves when no answer has to be awaited any more. */
  farewell(reason: Stop): Promise<void> | undefined;
  exited(): void;
  /** Everything was read. */
  end(): void;
  readonly isOver: boolean;
}

/** The reasons to stop that the agent is informed of first. For the others it is too late, or our own log could not record it. */
const ANNOUNCED = new Set<Stop>(["cancel", "timeout", "idle"]);

/** Each line goes into `client.jsonl` first, masked, and then to the agent unchanged. */
export function speakWith(
  speak: Speak,
  { files, find }: OpenDirectory,
  { task, env, asks, withholds }: RunPlan,
  { onPermission, enforce }: RunOptions,
  on: { readonly record: (fact: FactBody) => void; readonly failed: (error: unknown) => void },
): Talk {
  let stdin: Writable | null = null;

  function keep(line: string): void {
    try {
      files.client?.append(own`${maskText(line, find)}\n`);
    } catch (error) {
      on.failed(error);
    }
  }

  async function send(line: string): Promise<void> {
    keep(line);
    if (stdin === null) throw new Error("The agent has no standard input.");
    await writeStream(stdin, forProgram(`${line}\n`));
  }

  const conversation: Conversation = speak({
    task,
    env,
    asks,
    deciders: { onPermission, enforce: withholds === undefined ? enforce : withholding(withholds, enforce) },
    record: on.record,
    send,
    hangUp: () => stdin?.end(),
  });

  return {
    started(agent) {
      stdin = agent.stdin;
      stdin?.on("error", () => {}); // it does not read: its behavior will show that
      conversation.begin();
    },
    see: (events) => conversation.see(events),
    read(stream, lines) {
      if (stream === "stdout") conversation.heard(lines);
    },
    farewell: (reason) => (ANNOUNCED.has(reason) ? conversation.cancel() : undefined),
    exited() {
      conversation.gone();
      stdin?.destroy();
    },
    end: () => conversation.end(),
    get isOver() {
      return conversation.isOver;
    },
  };
}

/** Denies one tool, whatever the policy says. */
function withholding({ tool, reason }: NonNullable<RunPlan["withholds"]>, enforce: RunOptions["enforce"]): LivePolicy {
  return (request, root, allow) => (request.tool === tool ? { decision: "deny", reason } : enforce?.(request, root, allow));
}
