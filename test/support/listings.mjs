import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** A preload (`node --import`) that writes the directories a process lists to LISTINGS, one per line. */
const { readdirSync, appendFileSync } = fs;
fs.readdirSync = (path, ...rest) => {
  appendFileSync(process.env["LISTINGS"], `${path}\n`);
  return readdirSync(path, ...rest);
};
syncBuiltinESMExports();
