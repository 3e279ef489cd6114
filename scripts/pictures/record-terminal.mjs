import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { screen } from "./screen.mjs";

/** No pause is shown longer than this. */
const LONGEST_PAUSE_MS = 1000;
/** Random parts of the output get fixed values of the same length, so that a new picture differs only if the program does. */
const RANDOM = [
  [/harness-demo-\w{6}/g, "harness-demo-a1b2c3"],
  [/\bagent_\w{12}\b/g, "agent_a1b2c3d4e5f6"],
];

/** What a terminal of this size shows, moment by moment: `[{ ms, rows }]`, rows of `[{ text, style }]`. */
export function recordTerminal(cli, args, { columns, rows, env }) {
  const folder = mkdtempSync(join(tmpdir(), "harness-terminal-"));
  try {
    const [output, timing] = [join(folder, "output"), join(folder, "timing")];
    const line = `stty cols ${columns} rows ${rows}; exec ${[process.execPath, cli, ...args].map((word) => `'${word}'`).join(" ")}`;
    execFileSync("script", ["-qec", line, "--log-out", output, "--log-timing", timing], { env, stdio: ["ignore", "ignore", "inherit"] });
    return frames(readFileSync(output), readFileSync(timing, "utf8"), columns);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function frames(output, timing, columns) {
  const shown = screen(columns);
  const decoder = new TextDecoder();
  let at = output.indexOf("\n") + 1; // `script` begins with a line about itself
  let ms = 0;
  const found = [];
  for (const [, seconds, bytes] of timing.matchAll(/^([\d.]+) (\d+)$/gm)) {
    ms += Math.min(Number(seconds) * 1000, LONGEST_PAUSE_MS);
    shown.write(decoder.decode(output.subarray(at, at + Number(bytes)), { stream: true }));
    at += Number(bytes);
    found.push({ ms: Math.round(ms / 50) * 50, rows: shown.rows().map((row) => row.map(withoutRandom)) });
  }
  return found;
}

function withoutRandom({ text, style }) {
  return { text: RANDOM.reduce((now, [pattern, fixed]) => now.replace(pattern, fixed), text), style };
}
