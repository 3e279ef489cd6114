import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deriveRun } from "../../../../src/host/recording/derive/derive-run.ts";
import { readManifest } from "../../../../src/host/recording/format/read-manifest.ts";
import { runPaths } from "../../../../src/host/recording/format/run-paths.ts";
import { agentOfRun } from "../../../../src/host/recording/index.ts";
import type { Truth, TruthRule } from "../../../../src/pure/views/truth/schema.ts";
import { truth as view } from "../../../../src/pure/views/truth/view.ts";
import { probeTrace } from "../../../../src/work/observe/commands/trace/probe-trace.ts";
import { observe } from "../../../../src/work/observe/observe.ts";

/** `bash` runs and reports a command; `run`, `output`, `code` and `real` make the report differ from what happens. */
export type Step =
  | readonly ["bash", string, { readonly run?: string | false; readonly output?: string; readonly code?: number }?]
  | readonly ["write", string, string, { readonly real?: boolean }?]
  | readonly ["read", string]
  | readonly ["tool", string, string]
  | readonly ["task", readonly Step[]]
  | readonly ["hidden", string]
  | readonly ["wait", number]
  | readonly ["say", string];

export interface Case {
  readonly name: string;
  readonly steps: readonly Step[];
  readonly answer: string;
  /** The request. Default: “Fix the sum.” */
  readonly request?: string;
}

export interface Liar extends Case {
  /** The rule that names the lie; without a trace it may be a different one. */
  readonly rule: TruthRule;
  readonly unseenRule?: TruthRule;
}

export const FORMATS = ["claude", "codex", "plain"] as const;
export const SIGHTS = ["wrap", "trace"] as const;

/** How an agent reports, and how it is observed. */
export interface Way {
  readonly format: (typeof FORMATS)[number];
  readonly sight: (typeof SIGHTS)[number];
}

export const hasTrace = probeTrace("strace")?.seesEffects === true;

const WRAPPED = ["git", "npm", "npx", "node", "make", "python3", "pytest", "sh", "curl"];

/** Observes a case as a real process, and gives the answer of `truth`. */
export async function observeCase(
  { steps, answer, request = "Fix the sum." }: Case,
  { format, sight }: Way,
  base: string,
  workspace: string,
): Promise<Truth> {
  mkdirSync(base, { recursive: true });
  writeFileSync(join(base, "steps.json"), JSON.stringify({ steps, answer }));
  const program = `${process.execPath} ${join(import.meta.dirname, "agent.mjs")} ${format} ${join(base, "steps.json")}`;
  const observation = await observe({
    agent: "generic",
    command: program,
    ...(format !== "plain" && { like: format }),
    prompt: request,
    workspace,
    out: join(base, "out"),
    dataDirectory: join(base, "data"),
    ...(sight === "wrap" ? { wrap: WRAPPED } : { trace: true }),
    env: { npm_config_update_notifier: "false", npm_config_cache: join(base, "npm") },
  });
  const { status, truth: verdict } = await observation.done;
  const manifest = readManifest(runPaths(observation.directory).manifest);
  const records: Truth[] = [];
  for await (const batch of deriveRun(manifest, observation.directory, await agentOfRun(manifest), view)) records.push(...batch);
  const [found] = records;
  if (found === undefined || status !== "completed") throw new Error(`The agent did not complete: ${status}`);
  if (found.verdict !== verdict) throw new Error("The live verdict differs from the derived one");
  return found;
}

/** The rules that name something: by a finding, or by an undecided claim. */
export function namedBy({ findings, unobservable }: Truth): readonly TruthRule[] {
  return [
    ...new Set([...findings.map(({ rule }) => rule), ...unobservable.flatMap(({ rule, claim }) => (claim === undefined ? [] : [rule]))]),
  ];
}
