import { noUsage } from "../../pure/conversation/index.ts";
import type { HarnessEvent } from "../../pure/events/index.ts";
import { type Failure, failureOf } from "./failure.ts";
import { type Finish, whyUnfinished } from "./finish-reason.ts";
import type { SdkPart, SdkStream } from "./language-model.ts";
import type { SaidPart } from "./model-message.ts";
import { thinkTags } from "./think-tags.ts";
import { inputOf, type RawCall, type Turn } from "./turn.ts";
import { usageOf } from "./usage.ts";

type Block = { readonly type: "text" | "reasoning"; text: string[]; readonly id: string; options?: object | undefined };

/** The maximum length of one answer, in characters: an endless one must not fill the memory. */
const MOST = 256 * 2 ** 20;

/**
 * Turns the parts of a model's stream into events and into a turn. Reports calls when the stream has ended: an interrupted
 * answer calls nothing.
 */
export function streamReader(runId: string, secret: string | undefined, followsResult = false) {
  const open = new Map<string, Block>();
  const parts: (Block | (RawCall & { readonly options?: object | undefined }))[] = [];
  const calls: RawCall[] = [];
  let usage: Turn["usage"] | undefined;
  let failure: Failure | undefined;
  let finish: Finish | undefined;
  let details: object | undefined;
  let textId: string | undefined;
  let blocks = 0;
  let length = 0;
  const tags = thinkTags();

  /** The SDK reuses an id if a model speaks, thinks and speaks again. Here every block has its own id. */
  function begin(type: Block["type"], id: string): Block {
    const block: Block = { type, text: [], id: `${runId}/${type}-${blocks++}` };
    open.set(`${type} ${id}`, block);
    parts.push(block);
    return block;
  }

  function piece(type: Block["type"], id: string, content: string): HarnessEvent | undefined {
    if (content === "") return undefined;
    const block = open.get(`${type} ${id}`) ?? begin(type, id);
    block.text.push(content);
    length += content.length;
    if (length > MOST) throw new Error(`The model's answer is longer than ${MOST} characters.`);
    return { type, runId, id: block.id, content };
  }

  /** A signature may come with a block without text: it must be returned all the same. */
  function sign(type: Block["type"], id: string, options: object | undefined): undefined {
    if (options !== undefined) (open.get(`${type} ${id}`) ?? begin(type, id)).options = options;
  }

  return {
    see(part: SdkPart): readonly (HarnessEvent | undefined)[] {
      switch (part.type) {
        case "text-delta":
          textId ??= part.id;
          return tags.push(part.delta).map(({ type, text }) => piece(type, part.id, text));
        case "reasoning-delta":
          sign("reasoning", part.id, part.providerMetadata);
          return [piece("reasoning", part.id, part.delta)];
        case "text-start":
        case "reasoning-start":
          open.delete(`${typeOf(part.type)} ${part.id}`);
          return [sign(typeOf(part.type), part.id, part.providerMetadata)];
        case "text-end":
        case "reasoning-end": {
          const held = part.type === "text-end" ? tags.end() : undefined;
          return [held && piece(held.type, part.id, held.text), sign(typeOf(part.type), part.id, part.providerMetadata)];
        }
        case "tool-call": {
          const call = { id: part.toolCallId, name: part.toolName, input: inputOf(part.input) };
          calls.push(call);
          parts.push({ ...call, options: part.providerMetadata });
          return [];
        }
        case "finish":
          finish = part.finishReason;
          usage = usageOf(part.usage);
          details = part.providerMetadata?.["openaiCompatible"];
          return [];
        case "error":
          failure ??= failureOf(part.error, secret);
          return [];
        default:
          return []; // partial arguments, which also come complete; sources and files, which our tools never request
      }
    },
    /** What was held back when the stream broke off. */
    end(): HarnessEvent | undefined {
      const { type, text } = tags.end();
      return piece(type, textId ?? "", text);
    },
    turn(): Turn {
      const hasText = parts.some((part) => "text" in part && part.type === "text" && part.text.join("").trim() !== "");
      failure ??= whyUnfinished(finish, { hasText, hasCalls: calls.length > 0, followsResult });
      const content = parts.flatMap(contentOf);
      return {
        ...(content.length > 0 && {
          message: {
            role: "assistant",
            content,
            ...(details !== undefined && { providerOptions: { openaiCompatible: details as never } }),
          },
        }),
        calls: failure === undefined ? calls : [],
        usage: usage ?? noUsage,
        ...(failure !== undefined && { failure }),
        ...(finish?.unified === "length" && { isCut: true }),
      };
    },
  };
}

function typeOf(type: `${Block["type"]}-${"start" | "end"}`): Block["type"] {
  return type.startsWith("text") ? "text" : "reasoning";
}

function contentOf(part: Block | (RawCall & { readonly options?: object | undefined })): SaidPart[] {
  const options = part.options === undefined ? {} : { providerOptions: part.options as never };
  if ("input" in part) return [{ type: "tool-call", toolCallId: part.id, toolName: part.name, input: part.input, ...options }];
  const text = part.text.join("");
  return text === "" && part.options === undefined ? [] : [{ type: part.type, text, ...options }];
}

/** The parts of a stream, until it ends or `stop` is aborted. After that it reads nothing more. */
export async function* partsOf(stream: SdkStream, stop: AbortSignal): AsyncGenerator<SdkPart, void> {
  const reader = stream.getReader();
  const leave = () => void reader.cancel().catch(() => {});
  stop.addEventListener("abort", leave);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    stop.removeEventListener("abort", leave);
    leave();
  }
}
