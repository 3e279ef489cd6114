import { isObject, type JsonObject } from "../../pure/base/index.ts";

/** The shapes of an agent's output: kinds of objects, and the fields seen in each. */
export type Shapes = ReadonlyMap<string, ReadonlySet<string>>;

/** The model or the user chooses the keys in these fields, so they are not part of the CLI's shapes. */
const FREE = new Set(["input", "arguments", "args", "parameters", "rawInput"]);

/** A name chosen by a developer for a field or a type. Ids, paths and model names are data and become `*`. */
const NAME = /^(?!.*(?:\d{4}|\d\.\d))[A-Za-z_$@][\w$@./-]{0,48}$/;

const DEEPEST = 8;

/**
 * Collects shapes line by line. An object with a `type`, or with the protocol's equivalent, is its own kind, named by the path to it:
 * `item.completed`, `item.completed item:command_execution`. An object without a `type` adds its fields to its parent: `usage.input_tokens`.
 */
export function shapeCollector(): { see(line: string): void; readonly shapes: Shapes } {
  const shapes = new Map<string, Set<string>>();

  function fieldsOf(kind: string): Set<string> {
    const fields = shapes.get(kind) ?? new Set<string>();
    shapes.set(kind, fields);
    return fields;
  }

  function walk(value: unknown, kind: string, path: string, depth: number): void {
    if (depth > DEEPEST) return;
    if (Array.isArray(value)) for (const each of value) walk(each, kind, path, depth + 1);
    if (!isObject(value)) return;
    const own = typeOf(value);
    if (own !== undefined && path !== "") return object(value, `${kind} ${path}:${own}`, "", depth);
    object(value, kind, path, depth);
  }

  function object(value: JsonObject, kind: string, path: string, depth: number): void {
    const fields = fieldsOf(kind);
    for (const [key, inner] of Object.entries(value)) {
      const name = `${path === "" ? "" : `${path}.`}${NAME.test(key) ? key : "*"}`;
      fields.add(name);
      if (!FREE.has(key)) walk(inner, kind, name, depth + 1);
    }
  }

  return {
    shapes,
    see(line) {
      const value = parsed(line);
      if (isObject(value)) walk(value, typeOf(value) ?? "object", "", 0);
    },
  };
}

/** `system/init`, `item.completed`; for the Agent Client Protocol `session/update`, `tool_call`. */
function typeOf({ type, subtype, method, sessionUpdate }: JsonObject): string | undefined {
  const names = [type ?? sessionUpdate ?? method, subtype].filter((name): name is string => typeof name === "string" && NAME.test(name));
  return names.length === 0 ? undefined : names.join("/");
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
