// Preloaded into the CLI: reports its peak resident memory at exit.
import { writeSync } from "node:fs";
import { peakOf } from "./peak-of.mjs";

process.on("exit", () => writeSync(3, JSON.stringify({ peak: peakOf() })));
