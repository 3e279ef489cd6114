import { HarnessError, isDeep, isObject, type JsonObject, nearest, parseObject } from "../../../pure/base/index.ts";
import { type Case, caseRow, LONGEST_ID } from "./case.ts";

/**
 * One line of a data set. `where` is `file:line`, for error messages. A field whose name is nearly a known one is an error: a misspelled
 * `expected` would let the grader compare with nothing. `unread` collects other unknown fields.
 */
export function readCase(text: string, where: string, unread?: Set<string>): Case {
  const fail = (what: string): never => {
    throw new HarnessError("input", `${where}: ${what}`);
  };
  if (isDeep(text)) fail("the JSON is nested too deeply.");
  const row = parseObject(text) ?? fail('not a JSON object. Every line is one case, such as {"id":"a","input":"…"}.');
  for (const name of Object.keys(row)) {
    if (FIELDS.includes(name)) continue;
    const meant = misspelled(name);
    if (meant !== undefined) fail(`unknown field ${JSON.stringify(name)}. Did you mean "${meant}"? Other data belongs into "metadata".`);
    unread?.add(name);
  }
  const id = row["id"];
  if (typeof id !== "string" || id === "") return fail('a case needs an "id", a string.');
  if (id.length > LONGEST_ID) fail(`the id has ${id.length} characters, more than ${LONGEST_ID}.`);
  if (/\p{Cc}/u.test(id)) fail("the id contains control characters. Use plain text.");
  const { expected, hint } = { expected: text_("expected"), hint: text_("hint") };
  if (expected !== undefined && hint !== undefined && expected !== hint)
    fail('"expected" and "hint" are two names for the same field, and they differ. Keep one.');
  const timeout = row["timeout"];
  if (timeout !== undefined && !(typeof timeout === "number" && timeout > 0)) fail('"timeout" must be a number of milliseconds above 0.');
  const metadata = row["metadata"] ?? {};
  if (!isObject(metadata)) return fail('"metadata" must be an object.');
  return {
    id,
    input: inputOf(row, fail),
    ...optional("expected", expected ?? hint),
    ...optional("reference", text_("reference")),
    metadata,
    ...optional("timeout", timeout as number | undefined),
    ...optional("workspace", text_("workspace")),
    ...optional("setup", text_("setup")),
  };

  function text_(key: string): string | undefined {
    const value = row[key];
    if (value !== undefined && value !== null && typeof value !== "string") fail(`"${key}" must be a string.`);
    return typeof value === "string" ? value : undefined;
  }
}

const FIELDS = Object.keys(caseRow.fields);

/** Whether a name is a field of a case, or nearly one. */
export function isFieldLike(name: string): boolean {
  return FIELDS.includes(name) || misspelled(name) !== undefined;
}

/** The field that was probably meant. Short names need more than two letters in common: `kind` is not a misspelled `id`. */
function misspelled(name: string): string | undefined {
  const meant = nearest(
    name,
    FIELDS.filter((field) => Math.abs(field.length - name.length) <= 1),
  );
  return meant !== undefined && (meant.length > 4 || meant.startsWith(name) || name.startsWith(meant)) ? meant : undefined;
}

function inputOf(row: JsonObject, fail: (what: string) => never): string | readonly string[] {
  const input = row["input"];
  const turns: readonly unknown[] = Array.isArray(input) ? input : [input];
  if (turns.length === 0) fail('"input" has no turns. Use a string, or a list with at least one.');
  for (const turn of turns) {
    if (typeof turn !== "string") fail('a case needs an "input": a string, or a list of strings, one per turn.');
    else if (turn.trim() === "") fail('"input" is empty. Write the task for the agent.');
    else if (/\p{Surrogate}/u.test(turn)) fail('"input" contains half of a surrogate pair, which no encoding can represent. Remove it.');
  }
  return Array.isArray(input) ? (turns as string[]) : (input as string);
}

function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: V };
}
