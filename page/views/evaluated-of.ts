import { isObject, type JsonObject, stringOf } from "../../src/pure/base/index.ts";
import type { Evaluated } from "../../src/pure/pipeline/index.ts";

/** The case that the run is a trial of, or the run's id, as in `derive`. */
export function evaluatedOf({ evaluated, id }: JsonObject, run: string): Evaluated {
  const isCase = isObject(evaluated) && stringOf(evaluated["id"]) !== undefined;
  return isCase ? (evaluated as unknown as Evaluated) : { id: stringOf(id) ?? run };
}
