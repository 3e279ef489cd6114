// `npm run check`: format, lint, types, unused code, and the files that are generated from the program.
import { ensureInstalled, missingBuild, program, together } from "./setup.mjs";

const node = (...args) => [process.execPath, args];

ensureInstalled();
await together([
  ...missingBuild(),
  ["Types (tsc)", ...program("typescript#tsc", ["-p", "tsconfig.json"])],
  ["Lint with types (oxlint)", ...program("oxlint", ["--type-aware", "--quiet", "src", "test"])],
  ["Format and lint (biome)", ...program("@biomejs/biome#biome", ["check", "--error-on-warnings", "."])],
  ["Types of the page (tsc)", ...program("typescript#tsc", ["-p", "tsconfig.page.json"])],
  ["Types of the pure folders, with no types of Node (tsc)", ...program("typescript#tsc", ["-p", "tsconfig.pure.json", "--noEmit"])],
  ["What follows from the corpus is up to date", ...node("scripts/corpus.mjs", "--check")],
  ["ARCHITECTURE.md is what the sources say", ...node("scripts/architecture.mjs", "--check")],
  ["Published schemas are up to date", ...node("scripts/schemas.mjs", "--check")],
]);
await together([
  ["Unused files, exports and dependencies (knip)", ...program("knip", ["--no-progress"])], // dist/ must not change under it
  ["Package (publint)", ...program("publint", ["--strict"])],
  ["docs/reference/cli is what the program says", ...node("scripts/docs.mjs", "--check")],
]);
