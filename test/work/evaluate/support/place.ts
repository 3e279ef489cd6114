import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { directory, harness, jsonLines } from "../../../support/harness.ts";

export interface Place {
  readonly at: (name: string) => string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs `capture` or `trials` with this script as the agent. */
  readonly evaluate: (script: string, cases: readonly object[], ...more: readonly string[]) => Promise<Evaluated>;
}

export interface Evaluated {
  readonly code: number | null;
  readonly stderr: string;
  readonly lines: readonly Record<string, unknown>[];
}

/** Folders for one test, and a way to evaluate a shell script as the agent in them. */
export function place(command: "capture" | "trials" = "capture"): Place {
  const folder = directory();
  const at = (name: string) => join(folder, name);
  for (const name of ["home", "tmp"]) mkdirSync(at(name));
  const env = { XDG_DATA_HOME: at("data"), HOME: at("home"), TMPDIR: at("tmp") };
  return {
    at,
    env,
    async evaluate(script, cases, ...more) {
      writeFileSync(at("agent"), `#!/bin/sh\n${script}\n`);
      chmodSync(at("agent"), 0o700);
      writeFileSync(at("cases.jsonl"), cases.map((row) => `${JSON.stringify(row)}\n`).join(""));
      const who = ["--agent", "generic", "--command", `${at("agent")} {prompt}`, "--env", `PLACE=${folder}`];
      const { code, stderr } = await harness([command, at("cases.jsonl"), ...who, "-j", "1", "-o", at("out.jsonl"), ...more], { env });
      return { code, stderr, lines: existsSync(at("out.jsonl")) ? jsonLines(readFileSync(at("out.jsonl"), "utf8")) : [] };
    },
  };
}
