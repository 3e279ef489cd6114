// Turns a run's recording into a fixture: <fixtures>/<agent>/<scenario>/{meta.json,raw.jsonl,stderr.log}. Paths of this machine become fixed names.
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { readManifest, runPaths } from "../../host/recording/index.ts";
import { scripted, writeFile } from "../../host/sink/index.ts";
import { parseJsonLines } from "../../pure/base/index.ts";
import type { CorpusScenario } from "./corpus-scenario.ts";
import type { Sandbox } from "./sandbox.ts";

export interface Recording {
  readonly scenario: Pick<CorpusScenario, "name" | "about">;
  readonly id: string;
  readonly label: string;
  /** The suffix of the fixture's name. */
  readonly ending: string;
  readonly directory: string;
  readonly place: Sandbox;
  readonly installation: string;
  readonly fixtures: string;
}

export function record({ scenario, id, label, ending, directory, place, installation, fixtures }: Recording): void {
  const paths = runPaths(directory);
  const manifest = readManifest(paths.manifest);
  const clean = cleaner(place, installation);
  const times = parseJsonLines<{ type: string; stream: string; at: number }>(readFileSync(join(directory, "records.jsonl"), "utf8"))
    .filter(({ type, stream }) => type === "line" && stream === "stdout")
    .map(({ at }) => at - manifest.startedAt);
  const { sealed } = manifest;
  const isOurs = sealed?.stopped === "after-result"; // we ended it after its result, so its exit means nothing
  const meta = {
    agent: id,
    scenario: `${scenario.name}${ending}`,
    version: label,
    provenance: "recorded",
    description: scenario.about,
    argv: manifest.command && [manifest.command.binary, ...manifest.command.args],
    exitCode: isOurs ? null : sealed?.exitCode,
    signal: isOurs ? null : sealed?.signal,
    ...(manifest.resumes === undefined ? {} : { session: manifest.session }),
  };
  const folder = join(fixtures, id, meta.scenario);
  for (const file of ["meta.json", "raw.jsonl", "stderr.log"]) rmSync(join(folder, file), { force: true });
  mkdirSync(folder, { recursive: true });
  const text = JSON.stringify(meta, null, 1).replace(/\n\}$/, `,\n "lineTimesMs": ${JSON.stringify(times)}\n}\n`);
  writeFile(join(folder, "meta.json"), scripted(clean(text)));
  writeFile(join(folder, "raw.jsonl"), scripted(clean(readFileSync(join(directory, "raw.jsonl"), "utf8"))));
  const stderr = clean(readFileSync(join(directory, "stderr.log"), "utf8"));
  if (stderr !== "") writeFile(join(folder, "stderr.log"), scripted(stderr));
}

/** Replaces every path of this machine. A path that remains is an error, and no fixture is written. */
function cleaner(place: Sandbox, installation: string): (text: string) => string {
  const names: readonly (readonly [string, string])[] = [
    [place.workspace, "/workspace"],
    [place.home, "/home/agent"],
    [join(place.folder, "tmp"), "/tmp"],
    [installation, "/opt/agents"],
  ];
  // Claude Code names folders after paths: every slash becomes a dash.
  const all = names.flatMap(([path, name]) => [
    [path, name] as const,
    [path.replace(/[^A-Za-z0-9]/g, "-"), name.replaceAll("/", "-")] as const,
  ]);
  return (text) => {
    const cleaned = all.reduce((result, [path, name]) => result.replaceAll(path, name), text);
    const left = cleaned.indexOf(basename(place.folder));
    if (left >= 0)
      throw new Error(`the recording still contains a path of this machine: …${cleaned.slice(Math.max(0, left - 60), left + 60)}…`);
    return cleaned;
  };
}
