// Writes docs/reference/cli from the program's own help, a page per group of commands; `--check` fails if they differ. Needs the build.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const built = join(root, "dist/cli/describe.js");
const folder = join(root, "docs/reference/cli");
/** These commands get their own pages, because their group is too long for one. */
const OWN_PAGES = new Map([
  ["harness usage", "usage"],
  ["harness capture", "capture"],
  ["harness observe", "observe"],
  ["harness import", "import"],
  ["harness trials", "trials"],
  ["harness compare", "compare"],
]);
const MOST_LINES = 300;
const NOTE = "<!-- Written by `npm run docs` from the program's own help. -->";

if (!existsSync(built)) fail("dist/cli is not built; run `npm run build` first.");
const { descriptions, exitCodes } = await import(built);
const pages = pagesOf(descriptions());
const long = [...pages].find(([, text]) => text.split("\n").length > MOST_LINES);
if (long !== undefined) fail(`docs/reference/cli/${long[0]} has more than ${MOST_LINES} lines; give one of its commands its own page.`);
if (process.argv.includes("--check")) check();
else write();

function write() {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (!pages.has(name)) rmSync(join(folder, name));
  for (const [name, text] of pages) writeFileSync(join(folder, name), text);
}

function check() {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const wrong = [
    ...names.filter((name) => !pages.has(name)),
    ...[...pages]
      .filter(([name, text]) => !names.includes(name) || readFileSync(join(folder, name), "utf8") !== text)
      .map(([name]) => name),
  ];
  if (wrong.length > 0) fail(`docs/reference/cli differs from the program (${wrong.join(", ")}); run \`npm run build && npm run docs\`.`);
}

function pagesOf([program, ...commands]) {
  const groups = grouped(commands, pageOf);
  const written = [...groups].map(([page, members]) => [
    `${page}.md`,
    document([`# ${titleOf(members)}`, NOTE, ...members.flatMap((command) => [`## ${command.path}`, ...parts(command)])]),
  ]);
  return new Map([["README.md", index(program, commands)], ...written]);
}

/** `Run and watch` → `run-and-watch` */
function pageOf({ path, group }) {
  const own = [...OWN_PAGES].find(([command]) => path === command);
  return own === undefined ? group.toLowerCase().replaceAll(" ", "-") : own[1];
}

function titleOf([first, ...others]) {
  return others.length === 0 && OWN_PAGES.has(first.path) ? first.description : first.group;
}

function index(program, commands) {
  const groups = [...grouped(commands, ({ group }) => group)].flatMap(([group, members]) => [
    `## ${group}`,
    table(
      ["command", "what it does"],
      members.map((command) => [linkTo(command), command.description]),
    ),
  ]);
  return document([
    "# The command line",
    NOTE,
    `${program.description}. Data goes to standard output, messages for people to standard error.`,
    block([program.usage]),
    ...groups,
    "## Options",
    list(program.options),
    "## Exit codes",
    table(["code", "meaning"], exitCodes),
  ]);
}

function linkTo(command) {
  return `[\`${command.path}\`](${pageOf(command)}.md#${command.path.replaceAll(":", "").replaceAll(" ", "-")})`;
}

function parts({ usage, description, explanation, arguments: operands, options, sections }) {
  return [
    `${description}.${explanation === "" ? "" : ` ${explanation}`}`,
    block([usage]),
    ...(operands.length > 0 ? [`**Arguments**`, list(operands)] : []),
    `**Options**`,
    list(options),
    ...sections.flatMap(({ title, lines }) => [`**${title}**`, block(lines)]),
  ];
}

function list(terms) {
  return terms.map(({ term, description }) => `- \`${term}\`: ${description}`).join("\n");
}

function table(head, rows) {
  const cells = [head, ...rows.map((row) => row.map(String))];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`;
  return [line(head), `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...cells.slice(1).map(line)].join("\n");
}

function grouped(items, keyOf) {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

function block(lines) {
  return `\`\`\`\n${lines.join("\n")}\n\`\`\``;
}

function document(blocks) {
  return `${blocks.join("\n\n")}\n`;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
