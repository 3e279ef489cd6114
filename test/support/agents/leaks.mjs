#!/usr/bin/env node
// Prints a secret in every form, on both streams and split over two writes; then fails because of it.
import { writeSync } from "node:fs";

const key = process.env["CANARY_API_KEY"];
const pause = () => new Promise((resolve) => setTimeout(resolve, 40));
const forms = {
  plain: key,
  json: JSON.stringify(key),
  nested: JSON.stringify(JSON.stringify({ key })),
  url: encodeURIComponent(key),
  base64: Buffer.from(key).toString("base64"),
  shifted: Buffer.from(`user:${key}`).toString("base64"),
  environment: JSON.stringify(process.env),
};
for (const [name, form] of Object.entries(forms)) {
  for (const fd of [1, 2]) {
    writeSync(fd, `${name} ${form} whole\n`);
    for (const cut of [1, form.length >> 1, form.length - 1]) {
      writeSync(fd, `${name} ${form.slice(0, cut)}`);
      if (fd === 1 && cut > 1) await pause();
      writeSync(fd, `${form.slice(cut)} split\n`);
    }
  }
}
writeSync(1, `the last line is ${key.slice(0, -1)}`);
await pause();
writeSync(1, key.slice(-1));
writeSync(2, `error: 401 for the key ${key}`);
process.exitCode = 1;
