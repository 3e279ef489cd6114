// Writes the table of rooms in ARCHITECTURE.md: the first sentence of each room's index.ts, and the rooms its files import.
// `--check` writes nothing and fails if the table is not up to date.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundled } from "./bundled.mjs";
import { root } from "./setup.mjs";

const { filesIn, importsOf } = await bundled("test/project", ["imports.ts"]);
const PAGE = join(root, "ARCHITECTURE.md");
const [START, END] = ["<!-- rooms: written by npm run architecture -->", "<!-- /rooms -->"];

const text = readFileSync(PAGE, "utf8");
const [before, rest] = text.split(START);
const after = rest?.split(END)[1];
if (after === undefined) fail(`ARCHITECTURE.md must contain the lines ${START} and ${END}`);
const written = `${before}${START}\n\n${table()}\n\n${END}${after}`;
if (!process.argv.includes("--check")) writeFileSync(PAGE, written);
else if (written !== text) fail("the rooms in ARCHITECTURE.md do not match the sources; run `npm run architecture`.");

function table() {
  const rooms = new Map();
  for (const file of filesIn("src", root)) {
    const room = roomOf(file);
    if (room === undefined) continue;
    if (!rooms.has(room)) rooms.set(room, new Set());
    const opens = rooms.get(room);
    for (const { target } of importsOf(file, root)) if (target.startsWith("src/")) opens.add(roomOf(target));
    opens.delete(room);
  }
  const order = inOrder(rooms);
  const rows = order.map((room) => {
    const opens = rooms.get(room);
    const uses = order.filter((other) => opens.has(other)).map((other) => other.split("/")[1]);
    return [`\`${room}\``, sentenceOf(room), uses.length > 15 ? "nearly everything" : uses.join(" ") || "–"];
  });
  return markdown([["room", "contents", "opens"], ...rows]);
}

/** A room comes after the rooms it imports. */
function inOrder(rooms) {
  const order = [];
  const districts = ["pure", "host", "work", "app"];
  const visit = (room) => {
    if (order.includes(room)) return;
    for (const other of [...rooms.get(room)].sort()) visit(other);
    order.push(room);
  };
  for (const room of [...rooms.keys()].sort()) visit(room);
  return districts.flatMap((district) => order.filter((room) => room.startsWith(`${district}/`)));
}

/** `pure/base` for `src/pure/base/json.ts`; undefined for files outside of rooms. */
function roomOf(file) {
  const [, district, room, more] = file.split("/");
  return more === undefined ? undefined : `${district}/${room}`;
}

/** The first comment of an index.ts describes its room. */
function sentenceOf(room) {
  const [, sentence] = /^(?:#!.*\n)?\/\*\* (.*) \*\/\n/.exec(readFileSync(join(root, "src", room, "index.ts"), "utf8")) ?? [];
  return sentence ?? fail(`src/${room}/index.ts must start with one sentence about the room: /** … */`);
}

function markdown(rows) {
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => row[i].length)));
  const line = (row) => `| ${row.map((cell, i) => cell.padEnd(widths[i])).join(" | ")} |`;
  return [line(rows[0]), `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...rows.slice(1).map(line)].join("\n");
}

function fail(sentence) {
  console.error(`architecture: ${sentence}`);
  process.exit(1);
}
