#!/usr/bin/env node
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const FILE = "notes.json";
const [command, ...words] = process.argv.slice(2);
const notes = load();

if (command === "add") {
  notes.push({ id: notes.length + 1, text: words.join(" ") });
  writeFileSync(FILE, `${JSON.stringify(notes, null, 2)}\n`);
}
if (command === "list") {
  for (const { id, text } of notes) console.log(`${id}. ${text}`);
}

function load() {
  if (!existsSync(FILE)) return [];
  try {
    return JSON.parse(readFileSync(FILE, "utf8"));
  } catch {
    console.error(`${FILE} is not JSON. Repair it or move it away.`);
    process.exit(1);
  }
}
