#!/usr/bin/env node
// Prints every secret it can find in every form, split over two writes, and in pieces, and leaves them in files of every kind.
import { writeFileSync, writeSync } from "node:fs";

const names = ["CANARY_TOKEN", "PLAIN_NAME", "DB_PASS", "DATABASE_URL"];
const values = [...names.map((name) => process.env[name]), ...process.argv.slice(2)].filter((value) => value !== undefined);
const wrapped = (text) => text.match(/.{1,76}/g).join("\n");
const pause = () => new Promise((resolve) => setTimeout(resolve, 30));
const all = values.flatMap((value, index) => {
  const environment = Buffer.from(`A=${"x".repeat(index * 17)}\nB=${value}\nC=${"y".repeat(70)}\n`);
  return [
    value,
    JSON.stringify({ value }),
    JSON.stringify(JSON.stringify({ value })),
    encodeURIComponent(value),
    Buffer.from(value).toString("hex"),
    Buffer.from(`user:${value}`).toString("base64"),
    wrapped(environment.toString("base64")),
    JSON.stringify({ output: wrapped(environment.toString("base64")) }),
    wrapped(environment.toString("hex")),
  ];
});
for (const form of all) {
  for (const fd of [1, 2]) {
    writeSync(fd, `found ${form.slice(0, form.length >> 1)}`);
    if (fd === 1) await pause();
    writeSync(fd, `${form.slice(form.length >> 1)}\n`);
  }
}
for (const value of values)
  for (const text of `found ${value}.`.match(/.{1,5}/gs) ?? []) writeSync(1, `${JSON.stringify({ type: "text", text })}\n`);
writeFileSync("forms.txt", all.map((form) => `${form}\n`).join(""));
writeFileSync("forms.bin", Buffer.concat([Buffer.of(0, 1, 2, 255), ...all.map((form) => Buffer.from(`${form}\0`))]));
for (const [index, value] of values.entries()) writeFileSync(`file-${encodeURIComponent(value)}-${index}.txt`, "named after it\n");
