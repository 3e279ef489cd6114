#!/usr/bin/env node
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const FILE = "notes.json";
const [command, ...words] = process.argv.slice(2);
const notes = existsSync(FILE) ? JSON.parse(readFileSync(FILE, "utf8")) : [];
const print = (some) => {
  for (const { id, text } of some) console.log(`${id}. ${text}`);
};

if (command === "add") {
  notes.push({ id: notes.length + 1, text: words.join(" ") });
  writeFileSync(FILE, `${JSON.stringify(notes, null, 2)}\n`);
}
if (command === "list") print(notes);
if (command === "search") {
  const wanted = words.join(" ").toLowerCase();
  const found = notes.filter(({ text }) => text.toLowerCase().includes(wanted));
  print(found);
  if (found.length === 0) process.exitCode = 1;
}
