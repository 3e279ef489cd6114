// `npm run docs:site [-- --out dir]`: README, docs/ and the other project pages as a static site with search. It needs no server and no
// network: open index.html. Every link and anchor is checked; a broken one fails the build.
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { build } from "esbuild";
import { optionsOf, root } from "./setup.mjs";
import { checkLinks } from "./site/check-links.mjs";
import { collect } from "./site/collect.mjs";
import { layout } from "./site/layout.mjs";
import { navigation } from "./site/navigation.mjs";
import { sectionsOf } from "./site/sections.mjs";

const values = optionsOf("docs:site", { out: { type: "string", default: "artifacts/site" } });
const out = resolve(root, values.out);

const { pages, files } = collect(root);
const problems = checkLinks(pages);
if (problems.length > 0) {
  console.error(`docs:site: ${problems.length} broken links\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
  process.exit(1);
}

const groups = navigation(pages);
for (const page of pages.values()) write(page.url, layout(page, groups));
for (const file of files) {
  mkdirSync(dirname(join(out, file)), { recursive: true });
  cpSync(join(root, file), join(out, file));
}
// A page opened from the disk may not fetch, so the index is a script.
const index = [...pages.values()].filter(({ isSource }) => !isSource).flatMap(sectionsOf);
write("assets/search-index.js", `globalThis.searchIndex = ${JSON.stringify(index)};\n`);
await build({
  entryPoints: { site: join(root, "scripts/site/client/main.mjs"), style: join(root, "scripts/site/client/style.css") },
  outdir: join(out, "assets"),
  bundle: true,
  minify: true,
  format: "iife", // modules do not load from the disk
  target: "es2022",
  logLevel: "error",
});
console.error(`${pages.size} pages, ${index.length} sections to search: ${join(out, "index.html")}`);

function write(path, text) {
  mkdirSync(dirname(join(out, path)), { recursive: true });
  writeFileSync(join(out, path), text);
}
