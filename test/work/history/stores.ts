import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FIXTURES } from "../../support/fixtures.ts";

/** The same run twice: as its CLI printed it, and as its CLI stored it. */
export interface StoredRun {
  readonly name: string;
  readonly agent: string;
  /** A home directory with the store. */
  readonly home: string;
  readonly printed: Buffer;
  /** Tokens that the scripted model served, if they were written down. */
  readonly served: Readonly<Record<string, number>> | undefined;
}

const ROOT = join(FIXTURES, "stores");

export const storedRuns: readonly StoredRun[] = readdirSync(ROOT).flatMap((agent) =>
  readdirSync(join(ROOT, agent)).map((scenario) => {
    const folder = join(ROOT, agent, scenario);
    const meta = JSON.parse(readFileSync(join(folder, "meta.json"), "utf8"));
    return {
      name: `${agent}/${scenario}`,
      agent: meta.agent,
      home: join(folder, "home"),
      printed: readFileSync(join(folder, "raw.jsonl")),
      served: meta.served?.all,
    };
  }),
);

export function storedRun(name: string): StoredRun {
  const found = storedRuns.find((run) => run.name === name);
  if (found === undefined) throw new Error(`no fixture ${name}`);
  return found;
}

/** A copy of the store that a test may change. */
export function copyHome({ home }: StoredRun, target: string): string {
  if (!existsSync(target)) cpSync(home, target, { recursive: true });
  return target;
}
