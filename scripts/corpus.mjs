// Writes src/work/conformance/recorded-shapes.json from the recorded fixtures, and the exceptions in docs/reference/conformance.md from
// the scenarios and the pins. With --check it writes nothing and fails if one is not up to date.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundled } from "./bundled.mjs";
import { root } from "./setup.mjs";

const SHAPES = "src/work/conformance/recorded-shapes.json";
const PAGE = "docs/reference/conformance.md";

const { collectShapes, corpus, exceptionsOf, pins, withExceptions } = await bundled("src/work/conformance", [
  "agents/pins.ts",
  "collect-shapes.ts",
  "corpus.ts",
  "exceptions.ts",
  "report-page.ts",
]);
const page = readFileSync(join(root, PAGE), "utf8");
const wanted = new Map([
  [SHAPES, textOf(collectShapes(join(root, "fixtures")))],
  [PAGE, withExceptions(PAGE, page, exceptionsOf(pins, corpus(join(root, "scenarios"), pins)))],
]);
const stale = [...wanted].filter(([file, text]) => readFileSync(join(root, file), "utf8") !== text).map(([file]) => file);
if (!process.argv.includes("--check")) {
  for (const file of stale) writeFileSync(join(root, file), wanted.get(file));
} else if (stale.length > 0) {
  console.error(`${stale.join(" and ")}: not up to date with the fixtures, scenarios and pins.\nRun: npm run corpus`);
  process.exitCode = 1;
}

/** One line per kind and scenario, for readable diffs. */
function textOf(shapes) {
  const agents = Object.entries(shapes).map(([id, { kinds, always, scenarios }]) => {
    const rows = kinds.map((kind) => `   ${JSON.stringify(kind)}`).join(",\n");
    const names = Object.entries(scenarios).map(([name, numbers]) => `   ${JSON.stringify(name)}: ${JSON.stringify(numbers)}`);
    return ` ${JSON.stringify(id)}: {\n  "kinds": [\n${rows}\n  ],\n  "always": ${JSON.stringify(always)},\n  "scenarios": {\n${names.join(",\n")}\n  }\n }`;
  });
  return `{\n${agents.join(",\n")}\n}\n`;
}
