import { arrayOf, isObject, type JsonObject, objectOf, shellLine, wordOf } from "../../../pure/base/index.ts";
import type { Event, ToolStartBody } from "../../../pure/events/index.ts";
import type { PermissionOption, PermissionRequest, Verdict } from "../../permissions/index.ts";

/** The open tool calls, from the log: a permission request often repeats only the id. */
export interface OpenCalls {
  see(events: readonly Event[]): void;
  get(callId: string | undefined): ToolStartBody | undefined;
}

export function openCalls(): OpenCalls {
  const calls = new Map<string, ToolStartBody>();
  return {
    see(events) {
      for (const { body } of events) {
        if (body.type === "tool-start") calls.set(body.callId, body);
        else if (body.type === "tool-end") calls.delete(body.callId);
      }
    },
    get: (callId) => (callId === undefined ? undefined : calls.get(callId)),
  };
}

/** The parameters of a `session/request_permission`, completed with what is known about the call. */
export function askedOf(params: JsonObject, calls: OpenCalls): PermissionRequest {
  const asked = objectOf(params["toolCall"]) ?? {};
  const callId = wordOf(asked["toolCallId"]);
  const call = calls.get(callId);
  const input = asked["rawInput"] ?? call?.input;
  const kind = wordOf(asked["kind"]);
  const operations = call?.operations ?? [];
  return {
    sessionId: wordOf(params["sessionId"]),
    callId,
    tool: call?.tool ?? wordOf(asked["name"]) ?? kind,
    kind,
    title: wordOf(asked["title"]),
    command: commandOf(input) ?? operations.find((operation) => operation.kind === "command")?.command,
    operations,
    input,
    options: optionsOf(params["options"]),
  };
}

function commandOf(input: unknown): string | undefined {
  if (!isObject(input)) return undefined;
  const command = input["command"] ?? input["cmd"] ?? input["script"];
  const parts = arrayOf(command);
  return parts === undefined ? wordOf(command) : wordOf(shellLine(parts.filter((part) => typeof part === "string")));
}

function optionsOf(value: unknown): readonly PermissionOption[] {
  return (arrayOf(value) ?? []).flatMap((option) => {
    const { optionId, name, kind } = objectOf(option) ?? {};
    const id = wordOf(optionId);
    return id === undefined ? [] : [{ id, name: wordOf(name), kind: wordOf(kind) }];
  });
}

const WANTED = { allow: ["allow_once", "allow_always"], deny: ["reject_once", "reject_always"] } as const;

/**
 * The option to answer with. One that the user chose is taken unless it says the opposite of the decision. Otherwise `once` before
 * `always`: an agent that remembers no longer asks, so later calls would run without any decision.
 */
export function chosenOption({ decision, optionId }: Verdict, options: readonly PermissionOption[]): string | undefined {
  const chosen = options.find(({ id }) => id === optionId);
  const kinds: readonly (string | undefined)[] = decision === "allow" ? [...WANTED.allow, undefined] : WANTED.deny;
  if (chosen !== undefined && kinds.includes(chosen.kind)) return chosen.id;
  for (const kind of WANTED[decision]) {
    const option = options.find((each) => each.kind === kind);
    if (option !== undefined) return option.id;
  }
  return undefined;
}
