import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, it } from "vitest";
import { publishedSchemas as schemas } from "../../src/app/cli/published-schemas.ts";
import type { ByteSource } from "../../src/host/files/byte-source.ts";
import { derive } from "../../src/host/recording/derive/derive.ts";
import type { Event } from "../../src/pure/events/event.ts";
import type { View, ViewOptions } from "../../src/pure/pipeline/view.ts";
import { withRefs } from "../../src/pure/views/refs.ts";
import { type ViewId, views } from "../../src/pure/views/views.ts";
import { events, project } from "../support/events.ts";
import { strictFlaw } from "../support/strict-flaw.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const names = Object.keys(views) as ViewId[];

interface Input {
  readonly name: string;
  readonly agent: string;
  readonly source: ByteSource;
  readonly stderr?: string;
  readonly exitCode?: number;
  readonly signal?: string;
}

interface Run extends ViewOptions {
  readonly refs?: boolean;
}

/** The options that change the form of a record. */
const choices: readonly Run[] = [{}, { refs: true }, { case: "snake", reasoning: true }, { case: "snake", reasoning: true, refs: true }];

const inputs = [...fixtures(), hostile("claude"), hostile("codex"), hostile("generic")];
const compiled = new Map<string, ValidateFunction>();

/** Each input is translated once. A derivation prints the projection of these events, as test/laws/law.test.ts proves. */
const read: { readonly name: string; readonly inner: readonly Event[] }[] = [];
beforeAll(async () => {
  for (const { name, source, ...known } of inputs) {
    const inner: Event[] = [];
    for await (const event of derive(source, { ...known, view: events })) inner.push(event);
    read.push({ name, inner });
  }
});

describe("the views print what the schemas describe", () => {
  it("checks fixtures of more than one agent", () => {
    expect(new Set(fixtures().map(({ agent }) => agent)).size).toBeGreaterThan(1);
  });

  it.each(names)("%s", (id) => {
    const check = checker(id);
    const checked = new Set<string>(); // most records are the same for all options
    let seen = 0;
    for (const { name, inner } of read) {
      for (const { refs, ...options } of choices) {
        for (const record of project<object>(inner, refs === true ? withRefs(views[id] as View) : views[id], options)) {
          seen++;
          const printed = JSON.stringify(record);
          if (checked.has(printed)) continue;
          checked.add(printed);
          const wrong = check(record);
          if (wrong !== undefined) expect.fail(`${id} of ${name} ${JSON.stringify({ ...options, refs })}: ${wrong}\n${printed}`);
        }
      }
    }
    expect(seen).toBeGreaterThanOrEqual(read.length * choices.length);
  });

  it("would notice a missing key, an undeclared key, and null for an unset optional", async () => {
    for (const view of names) {
      const check = checker(view);
      const record = await first(view);
      const [key = ""] = Object.keys(record).filter((name) => name !== "type");
      expect(check(record)).toBeUndefined();
      expect(check(without(record, key)), `${view} without ${key}`).toBeDefined();
      expect(check({ ...record, undeclared: 1 }), view).toBeDefined();
      expect(check({ ...record, offset: null }), view).toBeDefined();
    }
  });
});

describe("the published schemas", () => {
  it("are one per view, and those of evaluations", () => {
    const evaluations = ["evaluation", "case", "capture-result", "trial-result", "comparison", "trend", "preference"]; // compared with the program in test/work/evaluate
    expect(Object.keys(schemas).sort()).toEqual([...names, ...evaluations].sort());
  });

  it.each(Object.keys(schemas))("%s has its own name and is a valid schema", (name) => {
    const schema = schemaOf(name);
    const { version, title } = schema;
    expect(version).toMatch(/^\d+\.\d+$/);
    expect(title).not.toBe("");
    expect(schema.json()).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: `urn:harness:schema:${name}:${version}`,
      title,
      description: expect.stringMatching(/./),
    });
    expect(published(name)).toBeTypeOf("function");
  });

  it("allow a later version to add keys", async () => {
    for (const view of names) {
      const record = await first(view);
      expect(published(view)({ ...record, added: { later: true } }), view).toBe(true);
    }
  });

  it("have both spellings of every type of the stream", () => {
    const { oneOf } = schemaOf("stream").json() as { oneOf: { properties: { type: { enum: string[] } } }[] };
    expect(oneOf).toHaveLength(8);
    for (const { properties } of oneOf) {
      const [pascal = "", snake] = properties.type.enum;
      expect(snake).toBe(pascal.replace(/\B[A-Z]/g, "_$&").toLowerCase());
    }
  });

  it("are up to date in schemas/", () => {
    const files = readdirSync(join(root, "schemas")).filter((file) => file.endsWith(".json"));
    const all = Object.keys(schemas);
    expect(files.sort()).toEqual(all.map((name) => `${name}.json`).sort());
    for (const name of all) {
      const text = readFileSync(join(root, "schemas", `${name}.json`), "utf8");
      expect(text, `schemas/${name}.json: run node scripts/schemas.mjs`).toBe(`${JSON.stringify(schemaOf(name).json(), null, 2)}\n`);
    }
  });
});

/** Returns what is wrong with a record as printed: a key whose value is undefined is absent. */
function checker(view: ViewId): (record: object) => string | undefined {
  const validate = published(view);
  return (record) => {
    const printed = JSON.parse(JSON.stringify(record));
    const flaw = strictFlaw(view, printed);
    if (flaw !== undefined) return `does not match the strict schema: ${flaw}`;
    if (!validate(printed)) return `does not match the published schema: ${JSON.stringify(validate.errors)}`;
    return undefined;
  };
}

/** In Ajv's strict mode, which rejects unknown keywords and formats. Each schema is compiled once, because that takes a second. */
function published(name: string): ValidateFunction {
  const known = compiled.get(name);
  if (known !== undefined) return known;
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, formats: { "date-time": isTime } });
  const validate = ajv.compile(schemaOf(name).json());
  compiled.set(name, validate);
  return validate;
}

function isTime(text: string): boolean {
  return !Number.isNaN(Date.parse(text));
}

function schemaOf(name: string) {
  const found = schemas[name];
  if (found === undefined) throw new Error(`Unknown schema ${name}`);
  return found;
}

async function first(view: ViewId): Promise<object> {
  for await (const record of derive(join(root, "fixtures/claude/full/raw.jsonl"), { agent: "claude", view })) return record;
  throw new Error(`${view} printed nothing`);
}

function without(record: object, key: string): object {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
}

function fixtures(): Input[] {
  const folders = folder(join(root, "fixtures")).flatMap((agent) =>
    folder(join(root, "fixtures", agent)).map((scenario) => ({ agent, scenario })),
  );
  return folders.flatMap(({ agent, scenario }) => {
    const at = (file: string) => join(root, "fixtures", agent, scenario, file);
    if (!existsSync(at("raw.jsonl"))) return [];
    const { exitCode, signal } = existsSync(at("meta.json")) ? JSON.parse(readFileSync(at("meta.json"), "utf8")) : {};
    return {
      name: `${agent}/${scenario}`,
      agent,
      source: at("raw.jsonl"),
      ...(existsSync(at("stderr.log")) && { stderr: at("stderr.log") }),
      ...(typeof exitCode === "number" && { exitCode }),
      ...(typeof signal === "string" && { signal }),
    };
  });
}

function folder(path: string): string[] {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

/** Input that no CLI prints when all is well: it produces the marks on `unknown`. */
function hostile(agent: string): Input {
  const lines = [
    Buffer.from("\u{FEFF}{}"),
    Buffer.from("not JSON"),
    Buffer.from("null"),
    Buffer.from('{"type":"assistant"}'),
    Buffer.from('{"type":"item.completed","item":{"type":7}}'),
    Buffer.from([0xff, 0xfe, 0x00, 0x80]),
    Buffer.alloc(17 * 1024 * 1024, "x"),
    Buffer.from('{"type":"resu'), // cut in the middle
  ];
  const source = Buffer.concat(lines.flatMap((line, index) => (index === 0 ? [line] : [Buffer.from("\n"), line])));
  return { name: `${agent}: hostile`, agent, source, signal: "SIGKILL" };
}
