// `npm run check`: format, lint, types, unused code, and generated files.
import { ensureInstalled, missingBuild, program, together } from "./setup.mjs";

const node = (...args) => [process.execPath, args];

ensureInstalled();
await together([
  ...missingBuild(),
  ["Types (tsc)", ...program("typescript#tsc", ["-p", "tsconfig.json"])],
  ["Lint with types (oxlint)", ...program("oxlint", ["--type-aware", "--quiet", "src", "test"])],
  ["Format and lint (biome)", ...program("@biomejs/biome#biome", ["check", "--error-on-warnings", "."])],
  ["Types of the page (tsc)", ...program("typescript#tsc", ["-p", "tsconfig.page.json"])],
  ["Types of the pure folders, without Node's types (tsc)", ...program("typescript#tsc", ["-p", "tsconfig.pure.json", "--noEmit"])],
  ["Files generated from the corpus are up to date", ...node("scripts/corpus.mjs", "--check")],
  ["Permissions: the page shows the matrix, and no excess is silent", ...node("scripts/permissions.mjs", "--check")],
  ["ARCHITECTURE.md matches the sources", ...node("scripts/architecture.mjs", "--check")],
  ["Published schemas are up to date", ...node("scripts/schemas.mjs", "--check")],
]);
await together([
  ["Unused files, exports and dependencies (knip)", ...program("knip", ["--no-progress"])], // dist/ must not change under it
  ["Package (publint)", ...program("publint", ["--strict"])],
  ["docs/reference/cli matches the program", ...node("scripts/docs.mjs", "--check")],
]);
