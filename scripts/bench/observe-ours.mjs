// Takes the file evidence of one observation as `harness observe` does. The agent's own work is not measured.
import { appendFileSync, mkdirSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { peakOf } from "./peak-of.mjs";

const [bundle, root, out] = process.argv.slice(2);
const { fileEvidence, nothingToFind } = await import(pathToFileURL(bundle).href);
mkdirSync(join(out, "artifacts"), { recursive: true });

let ms = 0;
let cpu = 0;
const timed = async (act) => {
  const started = performance.now();
  const before = process.cpuUsage();
  const result = await act();
  const { user, system } = process.cpuUsage(before);
  ms += performance.now() - started;
  cpu += (user + system) / 1000;
  return result;
};

const files = fileEvidence({ workspace: root, directory: out, find: nothingToFind });
await timed(() => files.before());
for (let index = 0; index < 20; index++) {
  appendFileSync(join(root, `node_modules/package-${index}/part-3/file-3.js`), `// changed ${Math.random()}\n`);
  writeFileSync(join(root, `node_modules/package-${index}/new-${process.pid}.js`), `export const added = ${index};\n`);
}
const changed = await timed(() => files.after([]));
if (changed.counts?.modified !== 20 || changed.counts?.added !== 20 || changed.patch === undefined)
  throw new Error(`these are not the changes that were made: ${JSON.stringify(changed)}`);
await timed(() => files.close());
writeSync(3, JSON.stringify({ ms, cpu, peak: peakOf() }));
