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
    const outfile = join(temp, "bundle.mjs");
    const contents = files.map((file) => `export * from "./${file}";`).join("\n");
    await build({
      stdin: { contents, resolveDir: join(root, folder) },
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      packages: "external",
      logLevel: "error",
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(temp, { recursive: true, force: true });
  }
}
