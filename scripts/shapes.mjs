// Writes src/conformance/recorded-shapes.json from the recorded fixtures. With --check it writes nothing and fails where the file is not up to date.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { root } from "./setup.mjs";

const file = join(root, "src/conformance/recorded-shapes.json");

const text = textOf(await collected());
if (!process.argv.includes("--check")) {
  writeFileSync(file, text);
} else if (!existsSync(file) || readFileSync(file, "utf8") !== text) {
  console.error("src/conformance/recorded-shapes.json is not what the fixtures show.\nRun: node scripts/shapes.mjs");
  process.exitCode = 1;
}

/** The bundle lies inside the project, so that it finds the project's packages. */
async function collected() {
  mkdirSync(join(root, "node_modules/.cache"), { recursive: true });
  const temp = mkdtempSync(join(root, "node_modules/.cache/shapes-"));
  try {
    const outfile = join(temp, "shapes.mjs");
    const entryPoints = [join(root, "src/conformance/collect-shapes.ts")];
    await build({ entryPoints, outfile, bundle: true, platform: "node", format: "esm", packages: "external", logLevel: "error" });
    const { collectShapes } = await import(pathToFileURL(outfile).href);
    return collectShapes(join(root, "fixtures"));
  } finally {
    rmSync(temp, { recursive: true, force: true });
  }
}

/** A line for each kind and each scenario, so that a difference can be read. */
function textOf(shapes) {
  const agents = Object.entries(shapes).map(([id, { kinds, scenarios }]) => {
    const rows = kinds.map((kind) => `   ${JSON.stringify(kind)}`).join(",\n");
    const names = Object.entries(scenarios).map(([name, numbers]) => `   ${JSON.stringify(name)}: ${JSON.stringify(numbers)}`);
    return ` ${JSON.stringify(id)}: {\n  "kinds": [\n${rows}\n  ],\n  "scenarios": {\n${names.join(",\n")}\n  }\n }`;
  });
  return `{\n${agents.join(",\n")}\n}\n`;
}
