import { existsSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { HarnessError, namedOrSuggest, shellLine } from "../../../pure/base/index.ts";
import type { OutOfTime } from "../../../pure/verdicts/index.ts";
import {
  type EntrantEntry,
  type EvaluateOptions,
  evaluate,
  type Limits,
  openDefinition,
  type Shard,
  withControls,
} from "../../../work/evaluate/index.ts";
import { saveText, say } from "../../terminal/index.ts";
import { compareResults, followed } from "../evaluation/index.ts";
import { runOptionsOf } from "../options/index.ts";
import { EXAMPLE } from "./example.ts";
import { printPlan } from "./print-plan.ts";

export interface EvaluateFlags {
  readonly init?: true;
  readonly dryRun?: true;
  readonly without: readonly string[];
  readonly side?: readonly string[];
  readonly k?: number;
  readonly only?: readonly string[];
  readonly sample?: number;
  readonly seed?: string;
  readonly shard?: Shard;
  readonly output?: string;
  readonly append?: true;
  readonly force?: true;
  readonly allowMixed?: true;
  readonly trustGrades?: true;
  readonly check: boolean;
  readonly report: readonly string[];
  readonly gate?: readonly string[];
  readonly json?: true;
  readonly progress?: true;
  readonly concurrency?: Limits;
  readonly maxCost?: number;
  readonly outOfTime?: OutOfTime;
}

export async function evaluateFile(file: string, flags: EvaluateFlags): Promise<void> {
  if (flags.init) return init(file);
  const { options, reports, baseline, gates } = await openDefinition(file);
  const output = flags.output ?? (flags.shard === undefined ? options.output : partName(options.output, flags.shard));
  const wanted: EvaluateOptions = {
    ...options,
    ...stated(flags),
    agents: await entriesOf(options.agents as readonly EntrantEntry[], flags),
    output,
  };
  if (flags.dryRun) return printPlan(wanted, flags.json === true);
  const outOfTime = wanted.outOfTime === undefined ? {} : { outOfTime: wanted.outOfTime };
  const end = await followed({ ...flags, ...outOfTime, output }, (signal, onProgress) => evaluate({ ...wanted, signal, onProgress }));
  if (end === undefined || end.stopped === "canceled" || !existsSync(output)) return;
  say(`results are in ${relative(process.cwd(), output)}`);
  const { seed } = wanted;
  const isPart = isPartial(flags) || resolve(output) !== options.output;
  if (isPart && reports.length > 0) say(aboutReports(reports, flags, output));
  await compareResults([output], {
    title: basename(file),
    report: [...(isPart ? [] : reports), ...flags.report],
    gate: [...gates, ...(flags.gate ?? [])],
    ...(flags.json && { json: true }),
    ...(seed !== undefined && { seed }),
    ...outOfTime,
    preferred: flags.side === undefined ? baseline : undefined,
  });
}

/** The flags that replace what the file says. */
function stated(flags: EvaluateFlags) {
  const {
    k,
    only,
    sample,
    seed,
    shard,
    append,
    force,
    allowMixed,
    trustGrades,
    check,
    concurrency,
    maxCost: maxCostUsd,
    outOfTime,
  } = flags;
  const all = { k, only, sample, seed, shard, append, force, allowMixed, trustGrades, check, concurrency, maxCostUsd, outOfTime };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** The sides with the settings of this machine: model aliases, programs, your own agents. What the file says wins. */
async function entriesOf(entries: readonly EntrantEntry[], flags: EvaluateFlags): Promise<readonly EntrantEntry[]> {
  const named: EntrantEntry[] = [];
  for (const { agent, model, binary, command, permissions, isolate, network, ...entry } of entries) {
    const asked = { agent: typeof agent === "string" ? agent : agent.id, model, binary, command, permissions, isolate, network };
    const { options } = await runOptionsOf(asked, entry.extraArgs ?? []);
    const { timeoutMs: _, ...own } = options; // a limit of the file, or of a case
    const given = Object.fromEntries(Object.entries({ ...own, ...entry }).filter(([, value]) => value !== undefined));
    named.push({ ...given, agent: options.agent, extraArgs: options.extraArgs ?? [], env: { ...options.env, ...entry.env } });
  }
  const labels = named.map(nameOf);
  const missing = flags.side?.find((name) => !labels.includes(name));
  if (missing !== undefined) throw new HarnessError("usage", namedOrSuggest("side", missing, labels));
  return withControls(flags.side === undefined ? named : named.filter((entry) => flags.side?.includes(nameOf(entry))), flags.without);
}

function isPartial({ shard, only, side, sample }: EvaluateFlags): boolean {
  return [shard, only, side, sample].some((flag) => flag !== undefined);
}

/** A part must not replace the report of the whole. */
function aboutReports(reports: readonly string[], flags: EvaluateFlags, output: string): string {
  const shown = (path: string) => (path === "github" ? path : relative(process.cwd(), path));
  const why = isPartial(flags) ? "this is only a part of the evaluation" : "the results are not in the file that the evaluation names";
  const results = flags.shard === undefined ? shellLine([shown(resolve(output))]) : "<all parts>";
  const asked = shellLine(reports.flatMap((name) => ["--report", shown(name)]));
  return `${reports.map(shown).join(", ")} not written, because ${why}. Make it with harness compare ${results} ${asked}`;
}

function nameOf({ label, agent }: EntrantEntry): string {
  return label ?? (typeof agent === "string" ? agent : agent.id);
}

function partName(output: string, { part, of }: Shard): string {
  return output.replace(/(\.jsonl)?$/, `.${part}-of-${of}.jsonl`);
}

function init(file: string): void {
  if (/\.(json|toml)$/.test(file))
    throw new HarnessError("usage", "--init writes YAML, because JSON has no comments. Name a file that ends in .yaml.");
  const place = dirname(resolve(file));
  const files = new Map([
    [resolve(file), EXAMPLE.evaluation],
    ...Object.entries(EXAMPLE.files).map(([name, text]) => [join(place, name), text] as const),
  ]);
  const taken = [...files.keys()].find((path) => existsSync(path));
  if (taken !== undefined)
    throw new HarnessError("usage", `${relative(process.cwd(), taken)} exists already. Name a file in a different directory.`);
  for (const [path, text] of files) saveText(path, text);
  say(`wrote ${[...files.keys()].map((path) => relative(process.cwd(), path)).join(" and ")}. Run it with harness evaluate ${file}`);
}
