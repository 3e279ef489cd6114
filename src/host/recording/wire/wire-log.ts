import { isUtf8 } from "node:buffer";
import type { BodyOf, FactBody } from "../../../pure/events/index.ts";
import {
  type AnswerReader,
  answerReader,
  askedBy,
  type Dialect,
  dialectAt,
  limitsIn,
  retryAfterIn,
  shownHeaders,
  shownPath,
} from "../../../pure/wire/index.ts";
import type { AppendFile } from "../../files/index.ts";
import type { RequestHead, ResponseHead, Tap, Watcher } from "../../proxy/index.ts";
import { type AnswerMasker, answerMasker, type FindSecrets, maskText, maskWord } from "../../secrets/index.ts";
import { recorded } from "../../sink/index.ts";
import { type Decoder, decoderOf } from "./decoder.ts";
import { keyOf, wireFile } from "./wire-file.ts";

/** Writes what passes between an agent and its model, while it passes. */
export interface WireLog {
  readonly tap: Tap;
  /** Resolves when every request is recorded to its end. Call it when none can follow. */
  settled(): Promise<void>;
}

type RequestFact = BodyOf<"model-request">;

/** Longer bodies are recorded by size only. */
const LONGEST_BODY = 16 * 1024 * 1024;

export interface WireEars {
  readonly now: () => number;
  /** Called for every request, when it is over. */
  readonly record: (fact: FactBody) => void;
  readonly failed: (error: unknown) => void;
}

export function wireLog(appended: AppendFile, find: FindSecrets, { now, record, failed }: WireEars): WireLog {
  const file = wireFile(appended);
  const open = new Set<Promise<void>>();
  const underWay = new Set<Watcher>();
  const failures = new Map<string, number>(); // failed calls, by what they asked
  const threads = new Map<string, number>();
  let calls = 0;
  let isBroken = false;

  /** After the first failure nothing is written: a hole in the file would be hidden by what follows. */
  function write(step: () => void): void {
    if (isBroken) return;
    try {
      step();
    } catch (error) {
      isBroken = true;
      failed(error);
    }
  }

  function hidden<T>(value: T): T {
    if (typeof value === "string") return maskWord(value, find) as T;
    return Array.isArray(value) ? (value.map(hidden) as T) : value;
  }

  function watch(head: RequestHead): Watcher {
    const call = ++calls;
    const startedAt = now();
    const path = hidden(shownPath(head.path));
    const dialect = dialectAt(head.method, path);
    const body: Uint8Array[] = [];
    const draft: { -readonly [Key in keyof RequestFact]: RequestFact[Key] } = {
      type: "model-request",
      request: call,
      dialect: dialect?.id ?? null,
      model: null,
      thread: null,
      retries: null,
      status: null,
      stream: null,
      tokens: null,
      finish: null,
      messages: null,
      tools: null,
      up: 0,
      down: 0,
      startedAt,
      firstMs: null,
      durationMs: 0,
      retryAfterMs: null,
      limits: [],
      head: "",
    };
    let key = "";
    let isAsked = false;
    let isTunnel = false;
    let answer: Answer | undefined;

    function asked(): void {
      if (isAsked) return;
      isAsked = true;
      const about = { origin: hidden(head.origin ?? ""), method: hidden(head.method), path, headers: hidden(shownHeaders(head.headers)) };
      const bytes = Buffer.concat(body.splice(0));
      const isText = isUtf8(bytes);
      const text = maskText(isText ? bytes.toString("utf8") : "", find);
      write(() => {
        const contents =
          draft.up > LONGEST_BODY
            ? {}
            : isText
              ? { parts: file.parts(text) }
              : isEncoded(head.headers)
                ? {}
                : { base64: bytes.toString("base64") };
        file.add(recorded({ type: "request", call, at: startedAt, ...about, ...contents }));
      });
      const said = dialect && askedBy(dialect, text, path);
      if (said === undefined) return;
      key = keyOf(path, text);
      draft.retries = failures.get(key) ?? null;
      const thread = keyOf(said.opening);
      threads.set(thread, threads.get(thread) ?? threads.size + 1);
      Object.assign(draft, { model: said.model, stream: said.isStream, messages: said.messages, tools: said.tools });
      draft.thread = threads.get(thread) ?? null;
    }

    async function over(problem: string | undefined): Promise<void> {
      await answer?.end();
      const at = now();
      write(() => file.add(recorded({ type: "end", call, at, ...(problem !== undefined && { problem: hidden(problem) }) })));
      const said = answer?.said();
      Object.assign(draft, { model: said?.model ?? draft.model, tokens: said?.usage ?? null, finish: said?.finish ?? null });
      const trouble = said?.error ?? problem;
      const isFailed = trouble !== undefined || draft.status === null || draft.status >= 400;
      if (key !== "" && isFailed) failures.set(key, call);
      const ended: RequestFact = { ...draft, durationMs: at - startedAt, head: file.head, ...(trouble != null && { problem: trouble }) };
      if (!isBroken) record(ended);
    }

    const watcher: Watcher = {
      sent(chunk) {
        draft.up += chunk.length;
        if (!isTunnel && draft.up <= LONGEST_BODY) body.push(Uint8Array.from(chunk));
      },
      asked,
      answered(answered) {
        asked(); // an answer may come before the request is complete: the rest of the request is not recorded
        isTunnel = answered.status === 101;
        draft.status = answered.status;
        draft.retryAfterMs = retryAfterIn(answered.headers, now());
        draft.limits = limitsIn(answered.headers);
        write(() =>
          file.add(recorded({ type: "answer", call, at: now(), status: answered.status, headers: hidden(shownHeaders(answered.headers)) })),
        );
        answer = answerOf(answered, dialect);
      },
      received(chunk) {
        draft.down += chunk.length;
        answer?.push(chunk);
      },
      ended(problem) {
        underWay.delete(watcher);
        asked();
        const done = over(problem).catch(failed);
        open.add(done);
        void done.then(() => open.delete(done));
      },
    };
    underWay.add(watcher);
    return watcher;

    function answerOf(answered: ResponseHead, dialectOf: Dialect | undefined): Answer {
      const isStream = /event-stream/i.test(headerIn(answered.headers, "content-type") ?? "");
      const reader = dialectOf === undefined || isTunnel ? undefined : answerReader(dialectOf, isStream);
      return answerLog({
        masker: answerMasker(find, isStream),
        reader,
        encoding: isTunnel ? "websocket" : headerIn(answered.headers, "content-encoding"),
        add: (content) => write(() => file.add(recorded({ type: "chunk", call, at: now(), ...content }))),
        first: () => {
          draft.firstMs ??= now() - startedAt;
        },
      });
    }
  }

  return {
    tap: watch,
    async settled() {
      for (const watcher of underWay) watcher.ended("the run ended first");
      while (open.size > 0) await Promise.all(open);
    },
  };
}

interface Answer {
  push(chunk: Uint8Array): void;
  end(): Promise<void>;
  said(): ReturnType<AnswerReader["end"]> | undefined;
}

interface AnswerParts {
  readonly masker: AnswerMasker;
  readonly reader: AnswerReader | undefined;
  readonly encoding: string | undefined;
  readonly add: (content: object) => void;
  readonly first: () => void;
}

/** An answer that cannot be decoded is recorded by its size: a secret in it could not be found. */
function answerLog({ masker, reader, encoding, add, first }: AnswerParts): Answer {
  const keep = (content: ReturnType<AnswerMasker["push"]>) => {
    if (content === undefined) return;
    add(content);
    if ("text" in content && reader?.push(content.text) === true) first();
  };
  const decoder: Decoder | undefined = decoderOf(encoding, (bytes) => keep(masker.push(bytes)));
  let said: ReturnType<AnswerReader["end"]> | undefined;
  return {
    push(chunk) {
      if (decoder === undefined) add({ bytes: chunk.length });
      else decoder.push(chunk);
    },
    async end() {
      await decoder?.end();
      if (decoder !== undefined) keep(masker.end());
      said = reader?.end();
    },
    said: () => said,
  };
}

function isEncoded(headers: readonly string[]): boolean {
  return (headerIn(headers, "content-encoding") ?? "identity") !== "identity";
}

function headerIn(raw: readonly string[], name: string): string | undefined {
  return raw.find((_, i) => i % 2 === 1 && raw[i - 1]?.toLowerCase() === name);
}
