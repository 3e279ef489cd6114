import { addUsage, noUsage } from "../../conversation/index.ts";
import type { HarnessEvent, Usage } from "../../events/index.ts";

/** One run of a recorded conversation: the main thread, or a subagent's. */
export interface ConversationRun {
  readonly runId: string;
  readonly depth: number;
  /** A piece of text or reasoning. */
  delta(type: Said, text: string, messageId: string | undefined): HarnessEvent;
  /** The complete text: returns the part that was not sent as pieces. */
  whole(type: Said, text: string, repeats: boolean): HarnessEvent | undefined;
  user(content: string): HarnessEvent;
  error(message: string, code: string | undefined): HarnessEvent;
  usage(used: Usage): HarnessEvent;
  called(): void;
  answered(): void;
  end(reason: "final" | "max_iterations" | "error", turns?: number): HarnessEvent;
  readonly isSilent: boolean;
  ended: boolean;
}

type Said = "text" | "reasoning";

interface Open {
  /** The pieces since the last complete text. */
  spoken: string;
  messageId: string | undefined;
  count: number;
}

/** Ids are counted per run and kind, because CLIs reuse theirs for several texts or have none. */
export function conversationRun(runId: string, depth: number): ConversationRun {
  const open: Record<Said, Open> = { text: fresh(), reasoning: fresh() };
  let used: Usage = noUsage;
  let users = 0;
  let usages = 0;
  let errors = 0;
  let turns = 0;
  let isTurn = false; // the model is working

  /** A turn is the model's work between two tool results. */
  function speak(): void {
    if (!isTurn) turns++;
    isTurn = true;
  }

  function close(said: Open): void {
    if (said.spoken !== "") said.count++;
    said.spoken = "";
  }

  function piece(type: Said, content: string): HarnessEvent {
    speak();
    const said = open[type];
    said.spoken += content;
    return { type, runId, id: `${runId}/${type}-${said.count}`, content };
  }

  return {
    runId,
    depth,
    ended: false,
    get isSilent() {
      return open.text.count === 1 && open.text.spoken === "";
    },
    delta(type, text, messageId) {
      const said = open[type];
      if (messageId !== said.messageId) close(said);
      said.messageId = messageId;
      return piece(type, text);
    },
    whole(type, text, repeats) {
      const said = open[type];
      if (repeats && said.spoken === "") return undefined;
      const isKnown = said.spoken.startsWith(text); // also true for a cut text whose beginning was sent
      if (!text.startsWith(said.spoken)) close(said);
      const rest = isKnown ? "" : text.slice(said.spoken.length);
      const event = rest === "" ? undefined : piece(type, rest);
      close(said);
      return event;
    },
    user(content) {
      isTurn = false;
      return { type: "user", runId, id: `${runId}/user-${++users}`, content };
    },
    error: (message, code) => ({
      type: "error",
      runId,
      id: `${runId}/error-${++errors}`,
      message,
      ...(code === undefined ? {} : { code }),
    }),
    usage(more) {
      used = addUsage(used, more);
      return { type: "usage", runId, id: `${runId}/usage-${++usages}`, ...more };
    },
    called: speak,
    answered() {
      isTurn = false;
    },
    end(reason, reported) {
      this.ended = true;
      return { type: "harness_end", runId, reason, iterations: reported ?? turns, totalUsage: used };
    },
  };
}

function fresh(): Open {
  return { spoken: "", messageId: undefined, count: 1 };
}
