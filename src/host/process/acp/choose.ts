// The modes and models a session offers, in their own fields or among its options.

import { arrayOf, type JsonObject, objectOf, wordOf } from "../../../pure/base/index.ts";
import type { Task } from "../../../pure/pipeline/index.ts";

/** The request that makes the choice. */
export interface Choice {
  readonly method: string;
  readonly params: JsonObject;
}

/** The mode that asks for nothing: Claude Code, Codex (twice), Gemini, Goose. OpenCode and Kilo are always in it. */
const ASKS_NOTHING = ["bypassPermissions", "agent-full-access", "full-access", "yolo", "auto"];
/** The mode that asks before it changes anything: Codex, Goose, Claude Code and Gemini. */
const ASKS = ["read-only", "approve", "default"];
/** The mode that changes nothing: OpenCode and Kilo, which have none of the others. */
const CHANGES_NOTHING = ["plan"];

/** Undefined if nothing has to be chosen; null if nothing fits. */
export function modeFor({ permissions, asked }: Task, session: JsonObject): Choice | undefined | null {
  const wanted = permissions === "read-only" ? [...ASKS, ...CHANGES_NOTHING] : asked ? ASKS : permissions === "full" ? ASKS_NOTHING : [];
  if (wanted.length === 0) return undefined;
  const modes = objectOf(session["modes"]);
  const own = (arrayOf(modes?.["availableModes"]) ?? []).map((mode) => wordOf(objectOf(mode)?.["id"]));
  const mode = wanted.find((id) => own.includes(id));
  if (mode !== undefined) return mode === modes?.["currentModeId"] ? undefined : { method: "session/set_mode", params: { modeId: mode } };
  const option = optionOf(session, "mode");
  const value = wanted.find((id) => option?.values.includes(id));
  if (option === undefined || value === undefined) return wanted === ASKS_NOTHING ? undefined : null;
  return value === option.current ? undefined : { method: "session/set_config_option", params: { configId: option.id, value } };
}

/** Undefined if this is the current model; null if the agent offers no choice. The agent itself rejects unknown models. */
export function modelFor(model: string, session: JsonObject): Choice | undefined | null {
  const option = optionOf(session, "model");
  if (option?.current === model) return undefined;
  if (option !== undefined) return { method: "session/set_config_option", params: { configId: option.id, value: model } };
  const models = objectOf(session["models"]);
  if (models?.["currentModelId"] === model) return undefined;
  return models === undefined ? null : { method: "session/set_model", params: { modelId: model } };
}

function optionOf(session: JsonObject, category: string) {
  const options = (arrayOf(session["configOptions"]) ?? []).map((option) => objectOf(option) ?? {});
  const found = options.find((option) => option["category"] === category) ?? options.find((option) => option["id"] === category);
  const id = wordOf(found?.["id"]);
  if (found === undefined || id === undefined) return undefined;
  const values = (arrayOf(found["options"]) ?? []).flatMap((value) => {
    const group = arrayOf(objectOf(value)?.["options"]); // values may be grouped
    return (group ?? [value]).map((each) => wordOf(objectOf(each)?.["value"]));
  });
  return { id, current: wordOf(found["currentValue"]), values };
}

/** How to log in without a user: a method with its variable set (GEMINI_API_KEY for `gemini-api-key`), or one that lists its variables. */
export function loginFor(hello: JsonObject, env: Readonly<Record<string, string | undefined>>): string | undefined {
  const methods = (arrayOf(hello["authMethods"]) ?? []).map((method) => objectOf(method) ?? {});
  const isSet = (name: string | undefined) => name !== undefined && Boolean(env[name]);
  const found = methods.find((method) => {
    const names = (arrayOf(method["vars"]) ?? []).map((each) => wordOf(objectOf(each)?.["name"]));
    return (names.length > 0 && names.every(isSet)) || isSet(wordOf(method["id"])?.toUpperCase().replaceAll("-", "_"));
  });
  return wordOf(found?.["id"]);
}
