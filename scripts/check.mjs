// `npm run check`: format, lint, types, unused code, and the files that are generated from the program.
import { ensureBuilt, ensureInstalled, step, tool } from "./setup.mjs";

ensureInstalled();
tool("Format and lint (biome)", "@biomejs/biome#biome", ["check", "--error-on-warnings", "."]);
tool("Types (tsc)", "typescript#tsc", ["-p", "tsconfig.json"]);
tool("Types of the pure folders, with no types of Node (tsc)", "typescript#tsc", ["-p", "tsconfig.pure.json", "--noEmit"]);
tool("Types of the page (tsc)", "typescript#tsc", ["-p", "tsconfig.page.json"]);
tool("Lint with types (oxlint)", "oxlint", ["--type-aware", "--quiet", "src", "test"]);
tool("Unused files, exports and dependencies (knip)", "knip", ["--no-progress"]);
ensureBuilt();
tool("Package (publint)", "publint", ["--strict"]);
step("What follows from the corpus is up to date", process.execPath, ["scripts/corpus.mjs", "--check"]);
step("ARCHITECTURE.md is what the sources say", process.execPath, ["scripts/architecture.mjs", "--check"]);
step("Published schemas are up to date", process.execPath, ["scripts/schemas.mjs", "--check"]);
step("docs/cli.md is what the program says", process.execPath, ["scripts/docs.mjs", "--check"]);
