import { type infer as Infer, z } from "zod";
import type { JsonObject } from "../../../pure/base/index.ts";
import { jsonPath } from "./json-path.ts";

/** How objects are built: loosely to read a file, strictly to find keys that have no meaning. */
type ObjectOf = typeof z.looseObject;

const path = z.string().superRefine((text, context) => {
  const read = jsonPath(text);
  if (typeof read === "string") context.addIssue({ code: "custom", message: read });
});

const argument = z
  .string()
  .max(65_536)
  .refine((text) => !text.includes("\0"), { message: "must not contain a NUL" });
const argumentList = z.array(argument).max(256);
const kind = z.enum(["thought", "tool_call", "message", "plan"]);

/** The declarative adapter files of version 1: which program runs with which arguments, and what its lines mean. */
function definition(object: ObjectOf) {
  return object({
    version: z.literal(1),
    name: z.string().min(1).max(200),
    command: argumentList.min(1),
    sessionMode: z.enum(["stream", "iterative"]),
    timeout: z.number().positive().optional(),
    prompt: object({ flag: argument.optional(), stdin: z.boolean().optional(), stdinFormat: z.enum(["text", "json"]).optional() }).refine(
      ({ flag, stdin }) => !(flag && stdin),
      { message: "has both a flag and stdin; choose one" },
    ),
    output: object({ flag: argument, value: argument }),
    autoApprove: argumentList.optional(),
    resume: object({ flag: argument, sessionIdPath: path }).optional(),
    cwdFlag: argument.optional(),
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

/** One mistake in a schema, with its place. */
export interface SchemaFlaw {
  readonly path: readonly PropertyKey[];
  /** The end of a sentence that begins with the place. */
  readonly problem: string;
}

/** The schema, or all its mistakes in order. */
export function readAdapterSchema(value: JsonObject): AdapterSchema | readonly SchemaFlaw[] {
  const { success, data, error } = definition(z.looseObject).safeParse(value);
  if (success) return data;
  return error.issues.map(({ path, message, code }) => {
    const isMissing = code !== "custom" && valueAt(value, path) === undefined;
    return { path, problem: isMissing ? `is missing${remedyFor(path)}` : `${problemOf(message)}${remedyFor(path)}` };
  });
}

/** The keys that have no meaning: most likely mistyped. */
export function unreadKeys(value: JsonObject): readonly string[] {
  const strict = definition(z.strictObject as unknown as ObjectOf).safeParse(value);
  return (strict.error?.issues ?? []).flatMap((issue) =>
    issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path, key].map(String).join(".")) : [],
  );
}

const remedies: Readonly<Record<string, string>> = {
  version: '; write "version": 1',
  name: '; write "name": "my-agent"',
  command: '; write the program and its first arguments, as in "command": ["my-agent", "exec"]',
  sessionMode: '; write "stream", or "iterative" for a program that does not remember earlier turns',
  prompt: '; write {"flag": "-p"}, {"flag": ""} for an argument without a flag, or {"stdin": true}',
  output: '; write {"flag": "--output-format", "value": "stream-json"}, or {"flag": "", "value": ""} for a program without such a flag',
  result: '; write {"matchPath": "$.type", "matchValue": "result", "contentPath": "$.result"}',
};

function remedyFor([first, ...rest]: readonly PropertyKey[]): string {
  return rest.length === 0 ? (remedies[String(first)] ?? "") : "";
}

/** Turns zod's message into the end of our sentence. */
function problemOf(message: string): string {
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
