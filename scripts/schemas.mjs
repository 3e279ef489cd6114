// Writes schemas/<name>.json from src/schemas. With --check it writes nothing and fails where a file is not up to date.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "schemas");

const wanted = await published();
if (process.argv.includes("--check")) await check();
else await write();

/** File name → text. The bundle lies inside the project, so that it finds the project's packages. */
async function published() {
  await mkdir(join(root, "node_modules/.cache"), { recursive: true });
  const temp = await mkdtemp(join(root, "node_modules/.cache/schemas-"));
  try {
    const outfile = join(temp, "schemas.mjs");
    await build({
      entryPoints: [join(root, "src/schemas/index.ts")],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      packages: "external",
      logLevel: "error",
    });
    const { schemas } = await import(pathToFileURL(outfile).href);
    return new Map(Object.entries(schemas).map(([name, schema]) => [`${name}.json`, `${JSON.stringify(schema.json(), null, 2)}\n`]));
  } finally {
    await rm(temp, { recursive: true, force: true });
  }
}

async function write() {
  await mkdir(folder, { recursive: true });
  for (const file of await strays()) await rm(join(folder, file));
  for (const [file, text] of wanted) await writeFile(join(folder, file), text);
  console.log(`Wrote ${wanted.size} schemas: ${[...wanted.keys()].join(", ")}`);
}

async function check() {
  const complaints = (await strays()).map((file) => `schemas/${file} belongs to no schema`);
  for (const [file, text] of wanted) {
    const found = await readFile(join(folder, file), "utf8").catch(() => undefined);
    if (found === undefined) complaints.push(`schemas/${file} is missing`);
    else if (found !== text) complaints.push(`schemas/${file} is not what src/schemas says`);
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
