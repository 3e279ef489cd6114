import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, describe, expect, test } from "vitest";
import { runs } from "../../support/full.ts";
import { generator } from "../../support/random.ts";
import { elsewhere } from "./elsewhere.ts";
import { inputsOf, MEDIUM } from "./inputs.ts";
import { type Parser, problemWith } from "./parser.ts";
import { parsersIn } from "./parsers.ts";
import { removeScratch } from "./scratch.ts";
import { watched } from "./watched.ts";

/** A sample of `npm run fuzz`, which reads a million inputs with every parser, in a thread that is watched. */

const ROOT = join(import.meta.dirname, "../../..");
const parsers = parsersIn(ROOT);
const SMALL = runs(60, 2000);
const seed = Number(process.env["HARNESS_TEST_SEED"] ?? Math.floor(Date.now() / 86_400_000));

afterAll(removeScratch);

describe(`parsers of foreign input, seed ${seed}`, () => {
  test.each(parsers.map((parser) => [parser.name, parser] as const))("%s", async (_, parser) => {
    const valid = await parser.valid();
    const inputs = inputsOf(parser.name, parser.form, valid, seed);
    const medium = MEDIUM.every * (1 + (generator(seed)() % 200)) - 1;
    for (const index of [...Array.from({ length: SMALL }, (_, i) => i), medium]) {
      const problem = await problemWith(parser, inputs(index));
      expect(problem, `npm run fuzz -- "${parser.name}" --seed ${seed} --first ${index} --inputs 1`).toBeUndefined();
    }
  });

  test.each(parsers.map((parser) => [parser.name, parser] as const))("%s: reads its valid inputs", async (_, parser) => {
    const results = await Promise.all((await parser.valid()).slice(0, 50).map((input) => isRead(parser, input)));
    expect(results.filter((isOk) => isOk).length).toBeGreaterThan(0);
  });
});

async function isRead(parser: Parser, input: string): Promise<boolean> {
  try {
    await parser.read(input);
    return true;
  } catch {
    return false;
  }
}

/** What turns text into data, and the names of functions that do. */
const READS =
  /\bJSON\.parse\(|\bparse(?:Json|JsonLines|Line|Object)\(|from "(?:yaml|smol-toml)"|import \{[^}]*\bparse\b[^}]*\} from "unbash"/;
const NAMED = /^export (?:async )?function\*? (?:read|parse|decode)[A-Z]\w*\(/m;

test("every file of src that reads foreign input belongs to a parser, or says why not", () => {
  const found = filesIn(join(ROOT, "src")).filter((file) => {
    const text = readFileSync(join(ROOT, file), "utf8").replace(/^\s*(?:\*|\/\/|\/\*\*).*$/gm, "");
    return READS.test(text) || NAMED.test(text);
  });
  const listed = parsers.flatMap(({ reads }) => reads);
  const isListed = (file: string) => listed.some((each) => (each.endsWith("/") ? file.startsWith(each) : file === each));
  expect(found.filter((file) => !isListed(file) && !elsewhere.has(file))).toEqual([]);
  expect([...elsewhere.keys()].filter((file) => !found.includes(file) || isListed(file))).toEqual([]);
  const all = filesIn(join(ROOT, "src"));
  expect(listed.filter((each) => !all.some((file) => (each.endsWith("/") ? file.startsWith(each) : file === each)))).toEqual([]);
});

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => relative(ROOT, join(folder, name)));
}

describe("the watcher", () => {
  const folder = mkdtempSync(join(ROOT, "node_modules/.cache/fuzz-test-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("names the input that hangs, throws or takes all memory, and continues after it", async () => {
    const outfile = join(folder, "broken.mjs");
    const entry = join(import.meta.dirname, "broken-worker.ts");
    await build({ entryPoints: [entry], outfile, bundle: true, platform: "node", format: "esm", packages: "external" });
    const task = { worker: pathToFileURL(outfile).href, root: ROOT, parser: "broken", seed: 1 };
    const hung = await watched({ ...task, first: 0, end: 5, hangsMs: 3000 });
    const full = await watched({ ...task, first: 5, end: 10, memoryMb: 64 });
    expect([...hung.problems, ...full.problems].map(({ index, problem }) => [index, problem.slice(0, 16)])).toEqual([
      [3, "hangs: no end wi"],
      [5, "TypeError: broke"],
      [7, "ended the thread"],
    ]);
  });
});

test("an input depends on nothing but the seed, the parser and its index", () => {
  const [one, other] = [1, 1].map(() => inputsOf("x", "json", ['{"a":[1,{"b":"c"}]}'], 7));
  const indexes = Array.from({ length: 500 }, (_, i) => i);
  expect(indexes.map((index) => one?.(index))).toEqual(
    indexes
      .toReversed()
      .map((index) => other?.(index))
      .toReversed(),
  );
  expect(new Set(indexes.map((index) => one?.(index))).size).toBeGreaterThan(300);
});
