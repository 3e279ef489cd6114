import { arrayOf, type JsonObject, numberOf, objectOf, stringOf } from "../../pure/base/index.ts";

const DEEPEST = 20;

/** A small value that satisfies a JSON schema, for requests whose answer must be one, such as Gemini's choice of a model. */
export function schemaExample(schema: unknown, depth = 0): unknown {
  const { type, properties, required, enum: choices, const: only, anyOf, oneOf, minimum } = objectOf(schema) ?? {};
  if (depth > DEEPEST) return null;
  if (only !== undefined) return only;
  const [choice] = arrayOf(choices) ?? [];
  if (choice !== undefined) return choice;
  const [alternative] = arrayOf(anyOf) ?? arrayOf(oneOf) ?? [];
  if (alternative !== undefined) return schemaExample(alternative, depth + 1);
  // Google spells the names of types in capitals.
  switch (stringOf(arrayOf(type)?.[0] ?? type)?.toLowerCase()) {
    case "object":
      return objectExample(objectOf(properties) ?? {}, arrayOf(required) ?? [], depth);
    case "array":
      return [];
    case "integer":
    case "number":
      return numberOf(minimum) ?? 1;
    case "boolean":
      return false;
    case "null":
      return null;
    default:
      return "scripted";
  }
}

function objectExample(properties: JsonObject, required: readonly unknown[], depth: number): JsonObject {
  const names = required.filter((name): name is string => typeof name === "string");
  return Object.fromEntries(names.map((name) => [name, schemaExample(Object.hasOwn(properties, name) ? properties[name] : {}, depth + 1)]));
}
