// Manifests before and after, and their comparison; with `kept`, also contents and the patch.
import { appendFileSync, mkdirSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { peakOf } from "./peak-of.mjs";

const [bundle, root, out, how] = process.argv.slice(2);
const { compare, openObjects, patch, snapshot } = await import(pathToFileURL(bundle).href);
mkdirSync(out);

let ms = 0;
const timed = async (act) => {
  const started = performance.now();
  const result = await act();
  ms += performance.now() - started;
  return result;
};

const keep = how === "kept" ? openObjects(join(out, "objects")) : undefined;
const before = await timed(() => snapshot(root, { to: join(out, "before.jsonl"), keep }));
for (let index = 0; index < 20; index++) {
  appendFileSync(join(root, `node_modules/package-${index}/part-3/file-3.js`), `// changed ${Math.random()}\n`);
  writeFileSync(join(root, `node_modules/package-${index}/new-${process.pid}.js`), `export const added = ${index};\n`);
}
const after = await timed(() => snapshot(root, { to: join(out, "after.jsonl"), keep }));
const comparison = await timed(() => compare(before, after, { objects: keep }));
if (comparison.counts.modified !== 20 || comparison.counts.added !== 20)
  throw new Error(`these are not the changes that were made: ${JSON.stringify(comparison.counts)}`);
if (keep !== undefined) {
  await timed(() => patch(comparison, keep, { to: join(out, "fs_diff.patch") }));
  await timed(() => keep.close());
}
writeSync(3, JSON.stringify({ ms, peak: peakOf() }));
