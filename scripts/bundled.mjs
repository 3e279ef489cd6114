// Imports files of src for scripts. TypeScript is bundled first, because the oldest supported Node cannot load it.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { root } from "./setup.mjs";

/** The bundle is written inside the project, so that it finds the project's packages. */
export async function bundled(folder, files) {
  mkdirSync(join(root, "node_modules/.cache"), { recursive: true });
  const temp = mkdtempSync(join(root, "node_modules/.cache/bundled-"));
  try {
    return await import(await bundledFile(folder, files, join(temp, "bundle.mjs")));
  } finally {
    rmSync(temp, { recursive: true, force: true });
  }
}

/** Writes the bundle, for a thread or another process. Returns its address. */
export async function bundledFile(folder, files, outfile) {
  const contents = files.map((file) => `export * from "./${file}";`).join("\n");
  await build({
    ...(files.length === 1 ? { entryPoints: [join(root, folder, files[0])] } : { stdin: { contents, resolveDir: join(root, folder) } }),
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "error",
  });
  return pathToFileURL(outfile).href;
}
