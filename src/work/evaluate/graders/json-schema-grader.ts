import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { errorWords, HarnessError, parseJson } from "../../../pure/base/index.ts";
import type { PreparedGrader } from "../trial/index.ts";

/** `json-schema:<file>`: passes if the answer, or its only JSON block, matches the schema. */
export function jsonSchemaGrader(file: string, directory: string): PreparedGrader {
  const schema = schemaIn(file, directory);
  let validate: Promise<(value: unknown) => { ok: boolean; why: string }> | undefined;
  const compiledOnce = () => {
    validate ??= compiled(schema);
    return validate;
  };
  return {
    name: `json-schema:${file}`,
    needsWorkspace: false,
    files: [resolve(directory, file)],
    answers: [resolve(directory, file)],
    flaw: () => compiledOnce().then(nothing, (error) => `json-schema:${file} cannot be used: ${errorWords(error)}`),
    async grade({ output }) {
      try {
        const value = jsonIn(output);
        if (value === undefined) return { grade: { pass: false, score: 0, reasoning: "the answer is not JSON" } };
        const { ok, why } = (await compiledOnce())(value.json);
        return { grade: { pass: ok, score: ok ? 1 : 0, reasoning: ok ? "the schema allows the answer" : why } };
      } catch (error) {
        return { error: `${file} cannot be used: ${errorWords(error)}` };
      }
    },
  };
}

function schemaIn(file: string, directory: string): object {
  try {
    const value: unknown = parseJson(readFileSync(resolve(directory, file), "utf8"));
    if (typeof value === "object" && value !== null) return value;
  } catch (error) {
    throw new HarnessError("usage", `The schema ${file} cannot be read: ${errorWords(error)}.`);
  }
  throw new HarnessError("usage", `The schema ${file} is not a JSON object.`);
}

const nothing = () => undefined;

const OPTIONS = { strict: false, allErrors: true, validateFormats: false };
let library: ReturnType<typeof loaded> | undefined;

/** Loaded with the first schema, so that other graders do not pay for it. `meta` checks schemas: to compile their schema takes 20 ms. */
async function loaded() {
  const { Ajv2020 } = (await import("ajv/dist/2020.js")).default; // CommonJS: a bundle has only this export
  return { Ajv2020, meta: new Ajv2020(OPTIONS) };
}

/** Each schema has its own instance, because the ids inside a schema are names for the whole instance. */
async function compiled(schema: object): Promise<(value: unknown) => { ok: boolean; why: string }> {
  library ??= loaded();
  const { Ajv2020, meta } = await library;
  await meta.validateSchema(schema, true);
  const ajv = new Ajv2020({ ...OPTIONS, validateSchema: false });
  const check = ajv.compile(schema);
  return (value) => ({ ok: check(value) === true, why: ajv.errorsText(check.errors, { dataVar: "the answer" }).slice(0, 2000) });
}

/** The whole text, else the only fenced block in it. */
function jsonIn(text: string): { json: unknown } | undefined {
  const blocks = [...text.matchAll(/```(?:json)?[^\S\n]*\n(.*?)\n[^\S\n]*```/gs)].map(([, inner]) => inner ?? "");
  for (const candidate of [text, ...(blocks.length === 1 ? blocks : [])]) {
    try {
      return { json: parseJson(candidate) };
    } catch {
      // The next one.
    }
  }
  return undefined;
}
