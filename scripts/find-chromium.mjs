// Finds the Chromium for tests and benches: $HARNESS_CHROMIUM, or the first usual name on PATH. Prints its path.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const PLACES = [
  "/usr/bin",
  "/usr/local/bin",
  "/snap/bin",
  "/Applications/Google Chrome.app/Contents/MacOS",
  "/Applications/Chromium.app/Contents/MacOS",
];

export const HOW_TO_GET_ONE =
  "No Chromium found; the tests of the page need one. Install it (apt-get install -y chromium), or set HARNESS_CHROMIUM to its path.";

export function findChromium(env = process.env) {
  const folders = [...(env.PATH ?? "").split(delimiter), ...PLACES];
  const names = [...NAMES, "Google Chrome", "Chromium"];
  const candidates = env.HARNESS_CHROMIUM ? [env.HARNESS_CHROMIUM] : folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return candidates.find(isProgram);
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return path !== "";
  } catch {
    return false;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = findChromium();
  if (found === undefined) {
    console.error(HOW_TO_GET_ONE);
    process.exitCode = 1;
  } else console.log(found);
}
