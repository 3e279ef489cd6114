import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../../support/harness.ts";
import { agent, type Place } from "../../support/place.ts";

/** Records a run by playing a fixture instead of its agent. `pace` scales the pauses between lines. */
export async function record(where: Place, fixture: string, more: readonly string[] = [], pace = 0): Promise<string> {
  const script = scriptOf(fixture, pace);
  const [id = ""] = fixture.split("/");
  try {
    const before = new Set(where.recordings().map(({ id: run }) => run));
    const done = await where.harness(["run", "--agent", id, "--binary", agent("plays.mjs"), "--prompt", `Play ${fixture}.`, ...more], {
      env: { SCRIPT: script.path },
    });
    const run = where.recordings().find(({ id: each }) => !before.has(each));
    if (run === undefined) throw new Error(`${fixture} was not recorded: ${done.stderr}`);
    return run.id;
  } finally {
    script.remove();
  }
}

export function scriptOf(fixture: string, pace: number): { readonly path: string; remove(): void } {
  const folder = join(ROOT, "fixtures", fixture);
  const { lineTimesMs = [], exitCode, signal } = JSON.parse(readFileSync(join(folder, "meta.json"), "utf8"));
  const lines = readFileSync(join(folder, "raw.jsonl"), "latin1").split(/(?<=\n)/);
  const stderr = join(folder, "stderr.log");
  const pieces = lines.map((line, i) => ({
    fd: 1,
    base64: Buffer.from(line, "latin1").toString("base64"),
    pauseMs: ((lineTimesMs[i] ?? 0) - (lineTimesMs[i - 1] ?? 0)) * pace,
  }));
  if (existsSync(stderr)) pieces.push({ fd: 2, base64: readFileSync(stderr).toString("base64"), pauseMs: 0 });
  return script({ pieces, exitCode, signal });
}

/** A program for `plays.mjs`. */
export function script(content: object): { readonly path: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "harness-script-"));
  const path = join(folder, "script.json");
  writeFileSync(path, JSON.stringify(content));
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
