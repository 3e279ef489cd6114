import { type infer as Infer, z } from "zod";
import type { JsonObject } from "../../../pure/base/index.ts";
import { jsonPath } from "./json-path.ts";

/** How objects are made: loosely to read a file, strictly to say which of its keys nobody reads. */
type ObjectOf = typeof z.looseObject;

const path = z.string().superRefine((text, context) => {
  const read = jsonPath(text);
  if (typeof read === "string") context.addIssue({ code: "custom", message: read });
});

const word = z
  .string()
  .max(65_536)
  .refine((text) => !text.includes("\0"), { message: "must not hold a NUL" });
const words = z.array(word).max(256);
const kind = z.enum(["thought", "tool_call", "message", "plan"]);

/** The declarative adapter files of version 1: which program is run how, and what its lines mean. */
function definition(object: ObjectOf) {
  return object({
    version: z.literal(1),
    name: z.string().min(1).max(200),
    command: words.min(1),
    sessionMode: z.enum(["stream", "iterative"]),
    timeout: z.number().positive().optional(),
    prompt: object({ flag: word.optional(), stdin: z.boolean().optional(), stdinFormat: z.enum(["text", "json"]).optional() }).refine(
      ({ flag, stdin }) => !(flag && stdin),
      { message: "has both a flag and stdin; the prompt goes one way" },
    ),
    output: object({ flag: word, value: word }),
    autoApprove: words.optional(),
    resume: object({ flag: word, sessionIdPath: path }).optional(),
    cwdFlag: word.optional(),
    outputMode: z.enum(["jsonpath", "passthrough"]).default("jsonpath"),
    outputEvents: z
      .array(
        object({
          match: object({ path, value: z.string() }),
          emitAs: kind,
          extract: object({ content: path.optional(), title: path.optional(), status: path.optional() }).optional(),
        }),
      )
      .max(256)
      .optional(),
    passthroughTypeMap: object({ typeField: z.string().default("type"), typeValues: z.record(z.string(), kind).optional() }).optional(),
    result: object({ matchPath: path, matchValue: z.string(), contentPath: path }),
    historyTemplate: z.union([z.string(), object({ system: z.string().optional(), turnFormat: z.string() })]).optional(),
  });
}

export type AdapterSchema = Infer<ReturnType<typeof definition>>;

/** What is wrong in a schema, and where. */
export interface SchemaFlaw {
  readonly path: readonly PropertyKey[];
  /** The rest of a sentence that begins with the place. */
  readonly problem: string;
}

/** The schema, or all that is wrong with it, the first thing first. */
export function readAdapterSchema(value: JsonObject): AdapterSchema | readonly SchemaFlaw[] {
  const { success, data, error } = definition(z.looseObject).safeParse(value);
  if (success) return data;
  return error.issues.map(({ path, message, code }) => {
    const isMissing = code !== "custom" && valueAt(value, path) === undefined;
    return { path, problem: isMissing ? `is missing${remedyFor(path)}` : `${told(message)}${remedyFor(path)}` };
  });
}

/** The keys that nobody reads: most likely mistyped. */
export function unreadKeys(value: JsonObject): readonly string[] {
  const strict = definition(z.strictObject as unknown as ObjectOf).safeParse(value);
  return (strict.error?.issues ?? []).flatMap((issue) =>
    issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path, key].map(String).join(".")) : [],
  );
}

const remedies: Readonly<Record<string, string>> = {
  version: '; write "version": 1',
  name: '; write "name": "my-agent"',
  command: '; write the program and its first words, as in "command": ["my-agent", "exec"]',
  sessionMode: '; write "stream", or "iterative" for a program that knows nothing of earlier turns',
  prompt: '; write {"flag": "-p"}, {"flag": ""} for an argument without a flag, or {"stdin": true}',
  output: '; write {"flag": "--output-format", "value": "stream-json"}, or {"flag": "", "value": ""} for a program without such a flag',
  result: '; write {"matchPath": "$.type", "matchValue": "result", "contentPath": "$.result"}',
};

function remedyFor([first, ...rest]: readonly PropertyKey[]): string {
  return rest.length === 0 ? (remedies[String(first)] ?? "") : "";
}

/** zod's words as the rest of our sentence. */
function told(message: string): string {
  const [, expected, received] = /^Invalid input: expected (.+?)(?:, received (.+))?$/.exec(message) ?? [];
  if (expected !== undefined) return received === undefined ? `must be ${expected}` : `must be ${expected}, not ${received}`;
  const [, options] = /^Invalid option: expected one of (.+)$/.exec(message) ?? [];
  if (options !== undefined) return `must be one of ${options.replaceAll("|", ", ")}`;
  return /^(?:must|is|has|cannot)\b/.test(message) ? message : `is wrong: ${message}`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<PropertyKey, unknown>)[key];
  }
  return at;
}
