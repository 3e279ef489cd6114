import { fits, isObject, parseJson } from "../../../pure/base/index.ts";
import { type CommandObservedBody, fact } from "../../../pure/events/index.ts";

/** The lines of `command_logs.jsonl`; undefined if any line has a different form. */
export function commandsIn(text: string): readonly CommandObservedBody[] | undefined {
  try {
    const lines = text.split("\n").filter((line) => line !== "");
    const bodies = lines.map((line): unknown => {
      const value: unknown = parseJson(line);
      return isObject(value) ? { type: "command-observed", ...value } : undefined;
    });
    return bodies.every(isCommand) ? bodies : undefined;
  } catch {
    return undefined;
  }
}

function isCommand(value: unknown): value is CommandObservedBody {
  return fits(fact, value) && value.type === "command-observed";
}
