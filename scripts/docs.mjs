// Writes docs/cli.md from the program itself, so that the two cannot differ; `--check` fails where they do. Needs the build.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const built = join(root, "dist/cli/describe.js");
const page = join(root, "docs/cli.md");

if (!existsSync(built)) fail("dist/cli is not built; run `npm run build` first.");
const { descriptions } = await import(built);
const text = pageOf(descriptions());
if (!process.argv.includes("--check")) {
  writeFileSync(page, text);
} else if (!existsSync(page) || readFileSync(page, "utf8") !== text) {
  fail("docs/cli.md does not say what the program says; run `npm run build && npm run docs`.");
}

function pageOf([program, ...commands]) {
  const [head, ...sections] = parts(program);
  const list = commands.map(({ path, description }) => `- [\`${path}\`](#${path.replaceAll(" ", "-")}): ${description}`);
  const intro =
    "Written by `npm run docs` from the program's own help. Standard output carries data, standard error everything for people.";
  const whole = [
    `# The command line\n\n${intro}`,
    head,
    list.join("\n"),
    ...sections,
    ...commands.flatMap((command) => [`## ${command.path}`, ...parts(command)]),
  ];
  return `${whole.join("\n\n")}\n`;
}

function parts({ usage, description, arguments: operands, options, sections }) {
  return [
    `${description}\n\n${block([usage])}`,
    ...(operands.length > 0 ? [list("Arguments", operands)] : []),
    ...(options.length > 0 ? [list("Options", options)] : []),
    ...sections.map(({ title, lines }) => `**${title}**\n\n${block(lines)}`),
  ];
}

function list(title, terms) {
  return `**${title}**\n\n${terms.map(({ term, description }) => `- \`${term}\`: ${description}`).join("\n")}`;
}

function block(lines) {
  return `\`\`\`\n${lines.join("\n")}\n\`\`\``;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
