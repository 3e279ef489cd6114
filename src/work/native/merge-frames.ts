/**
 * A `fetch` for a model's client that joins pieces of text which came at once. A client takes every server-sent event through four
 * streams and a schema, some twenty microseconds; where a server is faster than that, events that differ in nothing but the text they
 * carry are made into one. An event that came alone is never held back, and whatever is not exactly like the one before it stays as it is.
 */
export const mergingFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const { body, status, statusText, headers } = response;
  if (body === null || !headers.get("content-type")?.startsWith("text/event-stream")) return response;
  return new Response(body.pipeThrough(mergedFrames()), { status, statusText, headers });
};

/** Smaller pieces hold too few events for it to be worth a look. */
const WORTH_IT = 1024;

function mergedFrames(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const waiting: string[] = []; // an event that has not come to its end
  let mode: "bytes" | "text" | "as it is" = "bytes"; // until there is a large piece, and forever where lines end otherwise
  const all = () => waiting.splice(0).join("");
  return new TransformStream({
    transform(bytes, controller) {
      if (mode === "as it is" || (mode === "bytes" && bytes.length < WORTH_IT)) {
        controller.enqueue(bytes);
        return;
      }
      mode = "text";
      const text = (waiting.pop() ?? "") + decoder.decode(bytes, { stream: true });
      if (text.includes("\r")) {
        mode = "as it is";
        controller.enqueue(encoder.encode(all() + text));
        return;
      }
      const end = text.lastIndexOf("\n\n") + 2;
      if (end < 2) {
        waiting.push(text.slice(0, -1), text.slice(-1)); // the last character may be half of what ends it
        return;
      }
      controller.enqueue(encoder.encode(merged(all() + text.slice(0, end))));
      if (end < text.length) waiting.push(text.slice(end));
    },
    flush(controller) {
      const text = all() + decoder.decode();
      if (text !== "") controller.enqueue(encoder.encode(text));
    },
  });
}

/** Where the text stands, alone in what is new, in the events of Chat Completions and of Anthropic's Messages. */
const KEYS = ['"delta":{"content":"', '"delta":{"role":"assistant","content":"', '"delta":{"type":"text_delta","text":"'];

/** Behind it nothing but scalars: what is said twice in there is said once in the joined event, and must mean the same. */
const TAIL = /^"\}[^{["]*(?:"\w+":(?:null|true|false|-?[\d.]+|"[\w.:-]*")[^{["]*)*$/;

/** Whole events, with those joined that only carry on the text of the one before. */
export function merged(frames: string): string {
  let out = "";
  let held: string | undefined; // an event up to the end of its text, whose tail is known
  let head = "";
  let tail = "";
  for (let from = 0; from < frames.length; ) {
    const to = frames.indexOf("\n\n", from) + 2;
    if (
      held !== undefined &&
      to - from >= head.length + tail.length &&
      frames.startsWith(head, from) &&
      frames.startsWith(tail, to - tail.length)
    ) {
      const text = frames.slice(from + head.length, to - tail.length);
      if (isStringBody(text)) {
        held += text;
        from = to;
        continue;
      }
    }
    if (held !== undefined) out += held + tail;
    const frame = frames.slice(from, to);
    const split = splitAtText(frame);
    if (split === undefined) {
      held = undefined;
      out += frame;
    } else {
      [head, held, tail] = [split.head, split.head + split.text, split.tail];
    }
    from = to;
  }
  return held === undefined ? out : out + held + tail;
}

function splitAtText(frame: string): { readonly head: string; readonly text: string; readonly tail: string } | undefined {
  for (const key of KEYS) {
    const at = frame.indexOf(key);
    if (at === -1) continue;
    const start = at + key.length;
    const end = endOfString(frame, start);
    if (end === undefined) return undefined;
    const tail = frame.slice(end);
    return TAIL.test(tail) ? { head: frame.slice(0, start), text: frame.slice(start, end), tail } : undefined;
  }
  return undefined;
}

/** The quote that ends a JSON string. */
function endOfString(text: string, start: number): number | undefined {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at;
  }
  return undefined;
}

/** Whether it could stand between the quotes of a JSON string. */
function isStringBody(text: string): boolean {
  if (!text.includes("\\")) return !text.includes('"');
  return endOfString(`${text}"`, 0) === text.length;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
