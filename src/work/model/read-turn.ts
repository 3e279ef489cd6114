import { isObject } from "../../pure/base/index.ts";
import { tokenClasses } from "../../pure/events/index.ts";
import { countOf, durationOf, entriesOf, type Field, itemsOf, keysOf, list, oneOf, required, stringOf, textOf } from "./field.ts";
import {
  type Call,
  cutPlaces,
  defaultUsage,
  errorKinds,
  type Fault,
  noUsage,
  stopReasons,
  type Turn,
  type Usage,
} from "./model-scenario.ts";
import { toolShorthands } from "./tool-shorthands.ts";

const TURN = ["reasoning", "text", "tools", "usage", "stop", "delay", "chunk", "fault"];
const FAULT = ["status", "cut", "error", "message", "body", "headers", "times"];

export function readTurn(field: Field): Turn {
  const keys = keysOf(field, TURN, "a turn");
  const { text, reasoning, tools, delay, usage, stop, chunk, fault } = Object.fromEntries(keys);
  return {
    reasoning: reasoning === undefined ? "" : textOf(reasoning),
    text: text === undefined ? "" : textOf(text),
    calls: tools === undefined ? [] : itemsOf(tools, "tool calls").map(readCall),
    usage: usage === undefined ? defaultUsage : readUsage(usage),
    stop: stop === undefined ? "end" : oneOf(stop, stopReasons),
    delayMs: delay === undefined ? 0 : durationOf(delay),
    chunk: chunk === undefined ? { everyMs: 0 } : readChunk(chunk),
    ...(fault === undefined ? {} : { fault: readFault(fault) }),
  };
}

/** A missing class is zero. */
function readUsage(field: Field): Usage {
  const keys = keysOf(field, tokenClasses, "a usage");
  const counts = [...keys].map(([name, count]) => [name, countOf(count)] as const);
  return { ...noUsage, ...Object.fromEntries(counts) };
}

function readChunk(field: Field): Turn["chunk"] {
  const keys = keysOf(field, ["size", "every"], "a chunk");
  const size = keys.get("size");
  const every = keys.get("every");
  return { ...(size === undefined ? {} : { size: countOf(size, 1) }), everyMs: every === undefined ? 0 : durationOf(every) };
}

/** A shorthand (`run: ls`), a call (`name: Bash`, `input: …`), or a list of alternatives. */
function readCall(field: Field): readonly Call[] {
  if (Array.isArray(field.value)) return itemsOf(field, "tool calls").flatMap(readCall);
  const keys = entriesOf(field, "a tool call");
  if (keys.has("name")) return [readNamedCall(field)];
  const [first, ...rest] = keys;
  const read = first === undefined || !Object.hasOwn(toolShorthands, first[0]) ? undefined : toolShorthands[first[0]];
  if (first === undefined || read === undefined || rest.length > 0) {
    throw field.wrong(`is not a tool call. Write one of ${list(Object.keys(toolShorthands), "or")}, or a "name" with its "input".`);
  }
  return read(first[1]);
}

function readNamedCall(field: Field): Call {
  const keys = keysOf(field, ["name", "input"], "a tool call");
  const name = stringOf(required(field, keys, "name"));
  const input = keys.get("input");
  if (input === undefined) return { name, input: {} };
  if (typeof input.value === "string" || isObject(input.value)) return { name, input: input.value };
  throw input.wrong("must be keys with values, or text to send verbatim.");
}

/** A bare number is an HTTP error status. Without `times` the fault repeats forever. */
function readFault(field: Field): Fault {
  if (typeof field.value === "number") return { kind: "status", status: readStatus(field), headers: {}, times: Number.POSITIVE_INFINITY };
  const { status, cut, error, message, body, headers, times: count } = Object.fromEntries(keysOf(field, FAULT, "a fault"));
  if ([status, cut, error].filter((each) => each !== undefined).length !== 1) {
    throw field.wrong('needs exactly one of the keys "status", "cut" and "error".');
  }
  const extra = body ?? headers;
  if (extra !== undefined && status === undefined) throw extra.wrong('needs "status": only an HTTP error has a body and headers.');
  const times = count === undefined ? Number.POSITIVE_INFINITY : countOf(count, 1);
  const said = message === undefined ? {} : { message: textOf(message) };
  if (cut !== undefined) return { kind: "cut", where: oneOf(cut, cutPlaces), times };
  if (error !== undefined) return { kind: "error", error: oneOf(error, errorKinds), ...said, times };
  return {
    kind: "status",
    status: status === undefined ? 500 : readStatus(status),
    ...said,
    ...(body === undefined ? {} : { body: body.value }),
    headers: headers === undefined ? {} : readHeaders(headers),
    times,
  };
}

function readStatus(field: Field): number {
  const status = countOf(field, 400);
  if (status > 599) throw field.wrong("must be the status of an HTTP error, 400 to 599.");
  return status;
}

function readHeaders(field: Field): Readonly<Record<string, string>> {
  const headers = [...entriesOf(field, "headers")].map(([name, header]) => {
    const value = String(header.value);
    if (!/^[\w-]+$/.test(name) || !/^[\t\x20-\x7e]*$/.test(value)) throw header.wrong("is not an HTTP header. Use printable ASCII.");
    return [name.toLowerCase(), value] as const;
  });
  return Object.fromEntries(headers);
}
