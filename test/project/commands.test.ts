import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Description } from "../../src/app/cli/describe.ts";
import { agents } from "../../src/pure/agents/agents.ts";
import { blocksIn, documents, textOf } from "./blocks.ts";
import { ROOT } from "./imports.ts";

// Three kinds of blocks show commands. The tests run `console` (docs.test.ts) and `sh` (steps.test.ts). They cannot run `shell`: each such
// block needs a reason, and its commands, like those in running text, are checked against the declared commands and options.

const scripts: Record<string, string> = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).scripts;

/** Our own agents need no installed CLI; `native` and `rlm` need the account of a model, unless a scripted one answers. */
const installed = Object.values(agents)
  .filter(({ id }) => id !== "generic")
  .flatMap(({ id, aliases = [] }) => [id, ...aliases]);

const reasons: readonly (readonly [why: string, pattern: RegExp])[] = [
  [
    "needs an installed agent or an account",
    new RegExp(`(?:--agent|--judge|agents check|^harness conformance)(?: [\\w-]+)* (?:${installed.join("|")})\\b`),
  ],
  ["needs an installed agent", /--agent acp|--resume|agents check|adapter:check|^harness conformance/],
  ["needs a browser or a terminal, or runs until it is stopped", /^harness (?:view|watch|model)\b/],
  ["has a placeholder", /<[a-z]+>/],
  [
    "needs files or keys of the reader",
    /\b(?:cases|trials|results|preferences)\.jsonl\b|results\/\*\.jsonl|--sign|--allowed-signers|--judge/,
  ],
  ["needs an evaluation of the reader; the example of --init is run by test/work/evaluate/evaluation-file.test.ts", /^harness evaluate\b/],
  ["installs, builds or tests this project", /^(?:npm|npx|git|alias|node (?:scripts|node_modules)\/)/],
  ["changes the reader's settings or recordings", /completion|config init|prune|prices (?:set|remove)|~\//],
  ["reads the sessions of the reader's agents", /^harness import/],
];

interface Declared {
  readonly path: string;
  readonly flags: ReadonlySet<string>;
}

/** The built program: the version is known only after a build. */
const { descriptions }: { readonly descriptions: () => readonly Description[] } = await import(join(ROOT, "dist/cli/describe.js"));

const declared: readonly Declared[] = descriptions().map(({ path, options }) => ({
  path,
  flags: new Set(options.flatMap(({ term }) => term.match(/(?<![\w-])--?[a-zA-Z][a-z-]*/g) ?? [])),
}));

/** The commands of a block: lines joined at backslashes, without comments and here-documents. */
function commandsIn(block: string): readonly string[] {
  return block
    .replace(/ *\\\n\s*/g, " ")
    .replace(/<< ?'?END'?\n[\s\S]*?^END$/gm, "")
    .split("\n")
    .map((line) => line.replace(/(?:^|\s)#\s.*$/, "").trim())
    .filter((line) => line !== "");
}

/** What is wrong with the calls of `harness` in one line. */
function flawsIn(line: string): readonly string[] {
  const quoteless = line.replace(/'[^']*'|"(?:\\"|[^"])*"/g, "Q");
  return quoteless.split(/[|;&()]+/).flatMap((part) => {
    const [first, ...rest] = part.trim().split(/\s+/);
    if (first !== "harness" || rest[0] === undefined) return [];
    const ours = rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest;
    const path = [`harness ${ours[0]} ${ours[1]}`, `harness ${ours[0]}`].find((each) => declared.some((command) => command.path === each));
    if (path === undefined) return /^[a-z][a-z:-]+$/.test(rest[0]) ? [`unknown command: ${part.trim()}`] : [];
    const known = new Set(
      declared.filter((each) => each.path.startsWith(path) || each.path === "harness").flatMap(({ flags }) => [...flags]),
    );
    const flags = ours.map((each) => each.replace(/=.*$/, "")).filter((each) => /^--?[a-zA-Z]/.test(each));
    return flags.filter((flag) => !known.has(flag)).map((flag) => `${path} has no ${flag}`);
  });
}

describe.each(documents.filter((page) => !/^CHANGELOG|^docs\/(?:decisions|reference\/cli|words)/.test(page)))("%s", (document) => {
  const text = textOf(document);
  const blocks = blocksIn(text);

  test("shows commands only in blocks of commands", () => {
    const others = blocks.filter(({ language }) => !["sh", "shell", "console", "text", "markdown"].includes(language));
    const found = others.filter((block) => /^(?:\$ )?harness [a-z]/m.test(block.text));
    expect(found.map(({ line }) => `line ${line}`)).toEqual([]);
  });

  test("has a reason for every block that is not run", () => {
    const unexplained = blocks
      .filter(({ language }) => language === "shell")
      .filter((block) => !commandsIn(block.text).some((command) => reasons.some(([, pattern]) => pattern.test(command))));
    expect(unexplained.map(({ line }) => `line ${line}`)).toEqual([]);
  });

  test("names only commands, options and scripts that exist", () => {
    const shown = blocks.filter(({ language }) => /^(?:shell|sh)$/.test(language)).flatMap((block) => commandsIn(block.text));
    const prose = text.replace(/^ *```[\s\S]*?^ *```$/gm, "");
    const inline = [...prose.matchAll(/`(harness [^`]+)`/g)].map(([, command = ""]) => command.replace(/\s+/g, " "));
    const run = [...text.matchAll(/\bnpm run ([a-z][\w:-]*)/g)].map(([, script = ""]) => script);
    expect([...shown, ...inline].flatMap(flawsIn)).toEqual([]);
    expect(run.filter((script) => scripts[script] === undefined)).toEqual([]);
  });
});

test("mistakes would be found", () => {
  expect(flawsIn("harness run --agent claude --nope x | jq . && harness nothing")).toEqual([
    "harness run has no --nope",
    "unknown command: harness nothing",
  ]);
  expect(flawsIn("harness run --command 'x --whatever' -- --other")).toEqual([]);
  expect(commandsIn("a \\\n  b # comment\ncat << END\nharness x\nEND\n")).toEqual(["a b", "cat"]);
});
