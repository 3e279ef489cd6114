// Preloaded into the CLI: reports the peak of its resident memory when it ends, without the CLI knowing.
import { writeSync } from "node:fs";
import { peakOf } from "./peak-of.mjs";

process.on("exit", () => writeSync(3, JSON.stringify({ peak: peakOf() })));
