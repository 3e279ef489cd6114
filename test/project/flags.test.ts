import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { flags, remedies } from "../../src/app/terminal/flags.ts";
import { filesIn, ROOT } from "./imports.ts";
import { literalsIn, syntaxIn } from "./syntax.ts";

// The library names fields; only the command line turns a field into a flag. docs/reference/cli is written from the program.

const help = readdirSync(join(ROOT, "docs/reference/cli"))
  .map((page) => readFileSync(join(ROOT, "docs/reference/cli", page), "utf8"))
  .join("\n");
const ourFlags = new Set([...help.matchAll(/^- `(?:-\w, )?--([a-z][a-z-]+)/gm)].map(([, name = ""]) => name));
const ourShortFlags = new Set([...help.matchAll(/^- `(-\w), --/gm)].map(([, flag = ""]) => flag));
const ourCommands = new Set([...help.matchAll(/`harness ([a-z][a-z:-]*)/g)].map(([, name = ""]) => name));

/** Descriptions in schemas/*.json may name flags: their readers use the command line. */
const published = readdirSync(join(ROOT, "schemas")).map((file) => readFileSync(join(ROOT, "schemas", file), "utf8"));

/** Code with its own command line, or that calls ours. */
const speaksCli = /^src\/work\/(?:native\/program|conformance)\//;

/** Tables of the options that other programs have, and a shell program that calls a container engine. */
const knowsOthers = /^src\/(?:pure\/shell\/shown\/|host\/isolation\/box\.ts$)/;

/** Code that passes arguments to other programs; some have the same name as our flags. */
const passes = /^src\/pure\/(?:agents\/|isolation\/container\.ts$)/;
const passed = [
  "src/host/isolation/engine.ts: --format",
  "src/host/isolation/engine.ts: --user",
  "src/host/isolation/grader-walls.ts: --user",
  "src/host/isolation/tools.ts: --version",
  "src/host/limits/systemd-scope.ts: --user",
  "src/host/process/probe-version.ts: --version",
  "src/pure/shell/category.ts: --dry-run",
  "src/pure/shell/category.ts: --help",
  "src/pure/shell/category.ts: --version",
  "src/pure/shell/wrappers.ts: --signal",
  "src/pure/views/truth/commands.ts: --help",
  "src/pure/views/truth/commands.ts: --version",
  "src/pure/views/truth/test-place.ts: --cwd",
  "src/pure/views/truth/test-place.ts: --project",
  "src/pure/views/truth/test-place.ts: --workspace",
];

interface Mention {
  readonly text: string;
  /** In a literal without spaces: an argument of a program, not part of a sentence. */
  readonly isArgument: boolean;
}

/** Files with shell programs as text. */
const holdsPrograms =
  /^src\/(?:work\/observe\/commands|work\/model\/tool-shorthands|host\/process\/guardian|host\/isolation\/probe|host\/limits\/limited-launcher)/;
/** `-x` after one of these is its flag. */
const OTHER_PROGRAMS = /\b(?:sh|npm|git|hash)\b[^.;,]*$/;

function mentionsIn(source: string, file = "text.ts"): readonly Mention[] {
  return literalsIn(syntaxIn(source, file))
    .filter(({ text }) => !published.some((schema) => text.length > 10 && schema.includes(JSON.stringify(text))))
    .flatMap(({ text }) => {
      const isArgument = !/\s/.test(text);
      const long = [...text.matchAll(/(?<![\w-]|var\()--([a-z][a-z-]+)/g)].filter(([, name = ""]) => ourFlags.has(name));
      const short = [...text.matchAll(/(?<![^\s'`(])-[a-zA-Z](?=[\s,.;:)"'`]|$)/g)].filter(
        ({ 0: flag, index }) =>
          !isArgument && !holdsPrograms.test(file) && ourShortFlags.has(flag) && !OTHER_PROGRAMS.test(text.slice(0, index)),
      );
      const commands = [...text.matchAll(/\bharness ([a-z][a-z:-]*)/g)].filter(([, name = ""]) => ourCommands.has(name));
      return [...long, ...short, ...commands].map(([found]) => ({ text: found, isArgument }));
    });
}

const sources = ["src/pure", "src/host", "src/work"]
  .flatMap((folder) => filesIn(folder))
  .map((file) => ({ file, text: readFileSync(join(ROOT, file), "utf8") }));

test("no text of the library names our flags or commands", () => {
  expect(sources.length).toBeGreaterThan(400);
  const found = sources
    .filter(({ file }) => !knowsOthers.test(file))
    .flatMap(({ file, text }) => mentionsIn(text, file).map((mention) => ({ file, ...mention })));
  const sentences = found.filter(({ file, isArgument }) => !isArgument && !speaksCli.test(file));
  expect(sentences.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
  const others = found.filter(({ file, isArgument }) => isArgument && !speaksCli.test(file) && !passes.test(file));
  expect([...new Set(others.map(({ file, text }) => `${file}: ${text}`))].sort()).toEqual(passed);
});

test("mistakes would be found", () => {
  expect([ourFlags.size > 80, ourCommands.size > 25]).toEqual([true, true]);
  const named = (source: string) => mentionsIn(source).map(({ text, isArgument }) => (isArgument ? `argument ${text}` : text));
  expect(named('throw new HarnessError("start", `No directory; give another one with --cwd.`);')).toEqual(["--cwd"]);
  expect(named('throw new HarnessError("usage", "--like is wrong here.");')).toEqual(["--like"]);
  expect(named('const remedy = "Leave out --agent";')).toEqual(["--agent"]);
  expect(named('const remedy = "see harness runs list";')).toEqual(["harness runs"]);
  expect(named('new HarnessError("usage", `It is there; choose another -o.`);')).toEqual(["-o"]);
  expect(named('args.push("--model", task.model, `--mcp=a`); // not --cwd')).toEqual(["argument --model", "argument --mcp"]);
  expect(named('/** `--where` */\nnew HarnessError("usage", "write sh -c around it"); git("--no-pager"); --count;')).toEqual([]);
  expect(named('const url = "https://x"; const say = "a // --cwd";')).toEqual(["--cwd"]);
  expect(named('const remedy = `Choose a different -o.\n`; const other = "(-j)";')).toEqual(["-o"]);
  expect(named('describe("With --refs: the tool call it is about")')).toEqual([]);
});

test("every flag of a field exists, and every remedy belongs to a field that an error names", () => {
  const named = [...flags.values(), ...remedies.values()].flatMap((text) => text.match(/(?<=--)[a-z][a-z-]+/g) ?? []);
  expect(named.filter((name) => !ourFlags.has(name))).toEqual([]);
  const options = new Set(sources.flatMap(({ text }) => [...text.matchAll(/\boption: (?:\w+ \? )?"(\w+)"/g)].map(([, name]) => name)));
  expect([...remedies.keys()].filter((field) => !options.has(field))).toEqual([]);
});
