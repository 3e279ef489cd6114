#!/usr/bin/env node
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const FILE = "notes.json";
const [command, ...words] = process.argv.slice(2);
const notes = existsSync(FILE) ? JSON.parse(readFileSync(FILE, "utf8")) : [];

if (command === "add" && words.length > 0) {
  notes.push({ id: notes.length + 1, text: words.join(" ") });
  writeFileSync(FILE, `${JSON.stringify(notes, null, 2)}\n`);
} else if (command === "list") {
  for (const { id, text } of notes) console.log(`${id}. ${text}`);
} else {
  console.error("usage: notes add <text> | notes list");
  process.exitCode = 2;
}
