import { firstWord, isObject, type JsonObject, stringOf, wordOf } from "../../../pure/base/index.ts";
import type { PlanItem, Role } from "../../../pure/events/index.ts";
import { consumed, type LineTranslator, type Translated } from "../../../pure/pipeline/index.ts";
import type { AdapterSchema } from "./adapter-schema.ts";
import { type JsonPath, textAt, valuesAt } from "./json-path.ts";
import { saysFailure, schemaCalls } from "./schema-calls.ts";
import { compiled, isValue, type Mapping, type Match, mappingsOf, matchesIn } from "./schema-matches.ts";

const KINDS = new Set<string>(["thought", "tool_call", "message", "plan"]);

/** Reads a program's lines by its schema. A line that no rule matches is `unknown`: a schema cannot say what it drops on purpose. */
export function schemaTranslator(schema: AdapterSchema): () => LineTranslator {
  const mappings = mappingsOf(schema);
  const sessionPath = schema.resume === undefined ? compiled("$.session_id") : compiled(schema.resume.sessionIdPath);
  const resultPath = compiled(schema.result.matchPath);
  const contentPath = compiled(schema.result.contentPath);
  const find = schema.outputMode === "passthrough" ? passThrough(schema) : (line: JsonObject) => matchesIn(line, mappings);

  return () => {
    const calls = schemaCalls();
    let sessionId: string | undefined;

    function push(line: JsonObject): readonly Translated[] {
      const out: Translated[] = [];
      const found = textAt(line, sessionPath);
      if (found && found !== sessionId) {
        sessionId = found;
        out.push({ type: "session", sessionId });
      }
      const matches = find(line);
      let explained = matches.length > 0 || out.length > 0;
      for (const match of matches) {
        if (emit(out, match, line)) continue;
        if (matches.length === 1) explained = false;
        else out.push({ type: "unknown", raw: match.item });
      }
      const ends = isResult(line);
      if (ends) result(out, line);
      if (!explained && !ends) out.push({ type: "unknown", raw: line });
      return out.length === 0 ? consumed : out;
    }

    /** False if the item does not hold what its rule expects. */
    function emit(out: Translated[], { item, mapping }: Match, line: JsonObject): boolean {
      if (mapping === undefined) return false;
      if (mapping.emitAs === "message")
        return message(out, item, roleOf(item) ?? roleOf(line) ?? "assistant", textAt(item, mapping.content));
      const content = textAt(item, mapping.content);
      if (mapping.emitAs === "tool_call") {
        const { status } = mapping;
        const isFixed = status !== undefined && "literal" in status;
        calls.see(out, { item, title: textAt(item, mapping.title) || undefined, status: textAt(item, status), isFixed, output: content });
        return true;
      }
      if (mapping.emitAs === "plan") {
        const items = planOf(item, mapping);
        if (items.length > 0) out.push({ type: "plan", items });
        return items.length > 0;
      }
      if (content) out.push({ type: "reasoning", text: content });
      return content !== undefined;
    }

    /** Joins the pieces of a message (`"delta": true`) until something else comes. */
    function message(out: Translated[], item: unknown, role: Role, text: string | undefined): boolean {
      if (text === undefined) return false;
      if (isObject(item) && item["delta"] === true && role === "assistant") {
        out.push({ type: "piece", role, text, live: true });
        return true;
      }
      if (text !== "") out.push({ type: "message", role, text });
      return true;
    }

    function isResult(line: JsonObject): boolean {
      return "steps" in resultPath && isValue(valuesAt(line, resultPath.steps).values[0], schema.result.matchValue);
    }

    /** A schema says which record is the result, but not whether it is a success; the record itself shows that. */
    function result(out: Translated[], line: JsonObject): void {
      const failed = saysFailure(line);
      const text = textAt(line, contentPath) || undefined;
      out.push({ type: "result", outcome: failed ? "failed" : "completed", reason: failed ? "result-says-failure" : "result", text });
    }

    return { push, end: () => [] };
  };
}

/** For output that names its own kinds: by the values of one field, or because it uses the same names as we do. */
function passThrough({ passthroughTypeMap }: AdapterSchema): (line: JsonObject) => readonly Match[] {
  const field = passthroughTypeMap?.typeField ?? "type";
  const values = new Map(Object.entries(passthroughTypeMap?.typeValues ?? {}));
  const path = compiled("$.content");
  return (line) => {
    const type = Object.hasOwn(line, field) ? stringOf(line[field]) : undefined;
    const emitAs = type === undefined ? undefined : (values.get(type) ?? (KINDS.has(type) ? (type as Mapping["emitAs"]) : undefined));
    if (emitAs === undefined) return [];
    const title: JsonPath = compiled(typeof line["name"] === "string" ? "$.name" : "$.title");
    return [{ item: line, mapping: { emitAs, path, value: "*", content: path, title, status: compiled("$.status") } }];
  };
}

/** The speaker, if the output names one: some programs repeat the prompt as a message. */
function roleOf(item: unknown): Role | undefined {
  if (!isObject(item)) return undefined;
  const role = item["role"] ?? (isObject(item["message"]) ? item["message"]["role"] : undefined);
  return role === "user" || role === "system" || role === "assistant" ? role : undefined;
}

function planOf(item: unknown, { content }: Mapping): readonly PlanItem[] {
  if (content === undefined || "literal" in content) return [];
  const found = valuesAt(item, content.steps).values.flatMap((value): readonly unknown[] => (Array.isArray(value) ? value : [value]));
  return found.flatMap((entry): readonly PlanItem[] => {
    const text = isObject(entry) ? firstWord(entry, ["content", "text", "title", "step", "description"]) : wordOf(entry);
    const status = isObject(entry) ? entry["status"] : undefined;
    const known = status === "pending" || status === "in_progress" || status === "completed" ? status : "unknown";
    return text === undefined ? [] : [{ text, status: known }];
  });
}
