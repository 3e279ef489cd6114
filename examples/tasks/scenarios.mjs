// Makes two scripted models from the references, for `harness model`: one solves every case, a careless one fails every third.
//   node scenarios.mjs <folder>      writes <folder>/good/*.json and <folder>/careless/*.json
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const here = import.meta.dirname;
const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: node scenarios.mjs <folder>");
  process.exit(2);
}

/** What a careless agent leaves: nothing; a file that looks changed; or an incomplete one. */
const MISTAKES = [
  () => [],
  (files, workspace) => files.map(({ path }) => ({ path, content: `${contentOf(join(workspace, path))}\n` })),
  (files) => files.map(({ path, content }) => ({ path, content: content.slice(0, content.length / 2) })),
];

const cases = readFileSync(join(here, "cases.jsonl"), "utf8").trimEnd().split("\n");
for (const name of ["good", "careless"]) mkdirSync(join(folder, name), { recursive: true });
for (const [index, line] of cases.entries()) {
  const { id, reference, workspace } = JSON.parse(line);
  const files = filesIn(join(here, reference.slice("files:".length)));
  const mistake = index % 3 === 2 ? MISTAKES[Math.floor(index / 3) % MISTAKES.length] : undefined;
  const given = files.map(({ path }) => path).filter((path) => existsSync(join(here, workspace, path)));
  write("good", id, given, files);
  write("careless", id, given, mistake === undefined ? files : mistake(files, join(here, workspace)));
}

/** Reads a file before it writes it, because some agents' tools require that. */
function write(name, id, given, files) {
  const turns = [
    ...(given.length === 0 ? [] : [{ text: "I will look at it first.", tools: given.map((path) => ({ read: path })) }]),
    ...(files.length === 0 ? [] : [{ text: "I will write it.", tools: files.map((file) => ({ write: file })) }]),
    { text: "It is done." },
  ];
  writeFileSync(join(folder, name, `${id}.json`), JSON.stringify({ marker: id, turns }));
}

function filesIn(directory) {
  return readdirSync(directory).map((path) => ({ path, content: contentOf(join(directory, path)) }));
}

function contentOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // a new file
  }
}
