import { hash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Answerer, Reply } from "../../host/proxy/index.ts";
import type { WireCall } from "../../host/recording/index.ts";
import { type DiffLine, dialectAt, differences, matcher, shownPath } from "../../pure/wire/index.ts";

/** What the comparison has found. */
export interface Divergence {
  /** Of the new run's requests for a turn, counted from 1. Null: none of them, it never came. */
  readonly request: number | null;
  /** The recorded request that it was compared with. Null: all of them were answered. */
  readonly recorded: number | null;
  readonly kind: "differs" | "extra" | "missing";
  readonly diff: readonly DiffLine[];
  /** Lines that differ and are not among these. */
  readonly more: number;
}

export interface RecordedModelOptions {
  /** `strict`: the first difference ends the run. `lenient`: the most similar recorded request counts. */
  readonly mode: "strict" | "lenient";
  readonly speed: "recorded" | "max";
  /** From this turn on the agent's own model answers. */
  readonly from?: number | undefined;
  /** A request as lines, without what is volatile. */
  readonly lines: (
    request: { readonly method: string; readonly path: string; readonly body: string },
    isRecorded: boolean,
  ) => readonly string[];
  /** Called for the first difference in `strict` mode. */
  readonly onDivergence: () => void;
  /** Called when every recorded answer was given. */
  readonly onLast: () => void;
}

export interface RecordedModel {
  readonly answer: Answerer;
  readonly asked: number;
  readonly equal: number;
  /** Requests that the agent's own model answered. */
  readonly live: number;
  /** The first one. */
  divergence(): Divergence | undefined;
  /** Requests that do not ask for a turn and were not recorded. */
  readonly strange: readonly string[];
}

/** Most lines of a difference that are shown. */
const MOST_LINES = 20;

/** The requests that ask for a turn. */
export function turnsIn(calls: readonly WireCall[]): readonly WireCall[] {
  return calls.filter(({ method, path }) => dialectAt(method, path) !== undefined);
}

/** Answers requests as they were answered before, each recorded answer once. */
export function recordedModel(calls: readonly WireCall[], options: RecordedModelOptions): RecordedModel {
  const { mode, speed, from, lines, onDivergence, onLast } = options;
  const turns = turnsIn(calls);
  const replayed = from === undefined ? turns : turns.slice(0, Math.max(0, from - 1));
  const byCall = new Map(calls.map((call) => [call.call, call]));
  const linesOf = (call: WireCall) => ({ call: call.call, lines: lines({ ...call, body: call.body ?? "" }, true) });
  const known = matcher(replayed.map(linesOf), (text) => hash("sha256", text));
  const others = matcher(calls.filter((call) => !turns.includes(call)).map(linesOf), (text) => hash("sha256", text));
  const served = new Map<string, number>(); // what does not ask for a turn may be asked again
  const strange: string[] = [];
  let [asked, equal, live, given] = [0, 0, 0, 0];
  let first: Divergence | undefined;

  function diverges(found: Divergence): void {
    first ??= found;
  }

  /** A miss is never answered with the answer to a different question. */
  function taken(asking: readonly string[]): WireCall | undefined {
    const exact = known.take(asking);
    if (exact !== undefined) {
      equal++;
      return byCall.get(exact);
    }
    const nearest = known.nearest(asking);
    const { lines: diff, more } = nearest === undefined ? { lines: [], more: 0 } : differences(known.linesOf(nearest), asking, MOST_LINES);
    diverges({ request: asked, recorded: nearest ?? null, kind: nearest === undefined ? "extra" : "differs", diff, more });
    if (mode === "strict") {
      onDivergence();
      return undefined;
    }
    if (nearest === undefined) return undefined;
    known.use(nearest);
    return byCall.get(nearest);
  }

  async function turn(asking: readonly string[]): Promise<Reply | undefined> {
    asked++;
    if (from !== undefined && asked >= from) {
      live++;
      return undefined;
    }
    const call = taken(asking);
    if (call === undefined) return NOT_RECORDED;
    const isLast = ++given === replayed.length && from === undefined;
    return replyOf(call, speed, isLast ? onLast : undefined);
  }

  function other(asking: readonly string[]): Reply {
    const key = asking.join("\n");
    const call = others.take(asking) ?? served.get(key);
    if (call === undefined) {
      strange.push(asking[0] ?? "");
      return NOT_FOUND;
    }
    served.set(key, call);
    const found = byCall.get(call);
    return found === undefined ? NOT_FOUND : replyOf(found, "max");
  }

  return {
    async answer(request) {
      const path = shownPath(request.path);
      const asking = lines({ method: request.method, path, body: request.body.toString("utf8") }, false);
      return dialectAt(request.method, path) === undefined ? other(asking) : turn(asking);
    },
    get asked() {
      return asked;
    },
    get equal() {
      return equal;
    },
    get live() {
      return live;
    },
    strange,
    divergence() {
      const [missing] = known.left;
      if (first === undefined && missing !== undefined) return { request: null, recorded: missing, kind: "missing", diff: [], more: 0 };
      return first;
    },
  };
}

const JSON_HEADERS = ["content-type", "application/json"];
const NOT_RECORDED: Reply = {
  status: 400,
  headers: JSON_HEADERS,
  chunks: [
    Buffer.from(
      JSON.stringify({ type: "error", error: { type: "invalid_request_error", message: "harness: no recorded request equals this one." } }),
    ),
  ],
  end: "whole",
};
const NOT_FOUND: Reply = {
  status: 404,
  headers: JSON_HEADERS,
  chunks: [Buffer.from(JSON.stringify({ error: { type: "not_found_error", message: "harness: this was not recorded." } }))],
  end: "whole",
};

/** Headers about one connection, or about bytes that were decoded before they were recorded. */
const FRAMING = /^(?:connection|keep-alive|transfer-encoding|content-length|content-encoding|te|trailer|upgrade|proxy-.*)$/i;

/** Longer pauses are not repeated. */
const LONGEST_PAUSE_MS = 10 * 60_000;

function replyOf({ startedAt, answer, isOver, problem }: WireCall, speed: "recorded" | "max", done?: () => void): Reply {
  const end =
    problem === undefined && isOver ? "whole" : /^the (?:agent left|run ended)/.test(problem ?? "the agent left") ? "held" : "cut";
  const wait = async (ms: number) => {
    if (speed === "recorded" && ms > 1) await pause(Math.min(ms, LONGEST_PAUSE_MS));
  };

  async function* chunks(): AsyncGenerator<Uint8Array> {
    let last = answer?.at ?? startedAt;
    for (const chunk of answer?.chunks ?? []) {
      await wait(chunk.at - last);
      last = chunk.at;
      yield chunk.bytes;
    }
    done?.();
  }

  if (answer === undefined) {
    done?.();
    return { status: null, headers: [], chunks: [], end: end === "held" ? "held" : "cut" };
  }
  const headers = answer.headers.flatMap(([name, value]) =>
    typeof name === "string" && typeof value === "string" && !FRAMING.test(name) ? [name, value] : [],
  );
  return { status: answer.status, headers, chunks: chunks(), end };
}
