// Writes schemas/<name>.json from src/app/cli/published-schemas.ts. With --check it writes nothing and fails if a file is not up to date.
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bundled } from "./bundled.mjs";
import { root } from "./setup.mjs";

const folder = join(root, "schemas");

const wanted = await published();
if (process.argv.includes("--check")) await check();
else await write();

/** File name → text. */
async function published() {
  const { publishedSchemas } = await bundled("src/app/cli", ["published-schemas.ts"]);
  return new Map(Object.entries(publishedSchemas).map(([name, schema]) => [`${name}.json`, `${JSON.stringify(schema.json(), null, 2)}\n`]));
}

async function write() {
  await mkdir(folder, { recursive: true });
  for (const file of await strays()) await rm(join(folder, file));
  for (const [file, text] of wanted) await writeFile(join(folder, file), text);
  console.log(`Wrote ${wanted.size} schemas: ${[...wanted.keys()].join(", ")}`);
}

async function check() {
  const complaints = (await strays()).map((file) => `schemas/${file} has no schema in the program`);
  for (const [file, text] of wanted) {
    const found = await readFile(join(folder, file), "utf8").catch(() => undefined);
    if (found === undefined) complaints.push(`schemas/${file} is missing`);
    else if (found !== text) complaints.push(`schemas/${file} differs from the program`);
  }
  if (complaints.length === 0) {
    console.log(`${wanted.size} schemas are up to date`);
    return;
  }
  console.error(`${complaints.join("\n")}\nRun: node scripts/schemas.mjs`);
  process.exitCode = 1;
}

async function strays() {
  const files = await readdir(folder).catch(() => []);
  return files.filter((file) => file.endsWith(".json") && !wanted.has(file));
}
