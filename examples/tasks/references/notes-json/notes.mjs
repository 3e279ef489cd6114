#!/usr/bin/env node
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const FILE = "notes.json";
const [command, ...words] = process.argv.slice(2);
const notes = existsSync(FILE) ? JSON.parse(readFileSync(FILE, "utf8")) : [];

if (command === "add") {
  notes.push({ id: notes.length + 1, text: words.join(" ") });
  writeFileSync(FILE, `${JSON.stringify(notes, null, 2)}\n`);
}
if (command === "list") {
  if (words.includes("--json")) console.log(JSON.stringify(notes));
  else for (const { id, text } of notes) console.log(`${id}. ${text}`);
}
