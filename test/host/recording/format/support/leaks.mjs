// Prints a secret once; when the file argv[2] exists, again in many forms, on both streams; then keeps running.
import { existsSync, writeSync } from "node:fs";

const key = process.env["CANARY_TOKEN"];
writeSync(1, `ready, my key is ${key}\n`);
const waiting = setInterval(() => {
  if (!existsSync(process.argv[2])) return;
  clearInterval(waiting);
  const base64 = Buffer.from(`user:${key}`).toString("base64");
  const forms = [key, JSON.stringify({ key }), JSON.stringify(JSON.stringify(key)), encodeURIComponent(key), base64];
  for (const form of forms) for (const fd of [1, 2]) writeSync(fd, `form ${form} of it\n`);
  writeSync(1, `done ${key}`); // an end without a newline
  setInterval(() => {}, 1000);
}, 10);
