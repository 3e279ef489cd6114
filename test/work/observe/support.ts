import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deriveRun } from "../../../src/host/recording/derive/derive-run.ts";
import { readManifest } from "../../../src/host/recording/format/read-manifest.ts";
import type { RunManifest, Seal } from "../../../src/host/recording/format/run-manifest.ts";
import { runPaths } from "../../../src/host/recording/format/run-paths.ts";
import { removeTree } from "../../../src/host/workspace/remove-tree.ts";
import { findAgent } from "../../../src/pure/agents/find-agent.ts";
import type { DecisionEvent } from "../../../src/pure/views/decision/schema.ts";
import { decision } from "../../../src/pure/views/decision/view.ts";
import type { ObserveOptions } from "../../../src/work/observe/observe-options.ts";
import { promptScenario } from "../../../src/work/observe/scenario.ts";
import { type LiveObservation, type Parts, startObservation } from "../../../src/work/observe/start-observation.ts";
import { agent } from "../../support/place.ts";

const folders: string[] = [];

/** A fresh folder, removed after the tests of the file. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "harness-observe-"));
  folders.push(path);
  return path;
}

export async function cleanUpFolders(): Promise<void> {
  for (const path of folders.splice(0)) await removeTree(path);
}

/** Watches no commands and makes no checks. */
export const noParts: Parts = {
  watchCommands: async () => ({
    env: {},
    collect: async () => ({
      commands: [],
      summary: {
        type: "commands-observed",
        available: false,
        reason: "wrappers disabled",
        sources: [],
        wrapped: [],
        observed: null,
        categories: [],
      },
    }),
  }),
  evaluate: async () => [],
};

export interface Observation {
  readonly id: string;
  readonly out: string;
  readonly base: string;
  readonly directory: string;
  readonly events: readonly DecisionEvent[];
  readonly seal: Seal | undefined;
  readonly error: unknown;
  readonly manifest: RunManifest;
}

/** Observes a small program to its end. Compares the live output, the file, and what is derived later. */
export async function observe(
  options: Partial<ObserveOptions> = {},
  parts: Parts = noParts,
  onStart: (live: LiveObservation) => void = () => {},
): Promise<Observation> {
  const base = folder();
  const live = await startObservation(
    {
      agent: "generic",
      command: agent("exits-at-once"),
      scenario: promptScenario("Go."),
      dataDirectory: join(base, "data"),
      out: join(base, "out"),
      ...options,
    },
    parts,
  );
  onStart(live);
  const events: DecisionEvent[] = [];
  let error: unknown;
  try {
    for await (const batch of live.batches()) events.push(...batch);
  } catch (thrown) {
    error = thrown;
  }
  const seal = await live.sealed.catch(() => undefined);
  const manifest = readManifest(runPaths(live.directory).manifest);
  return { id: live.id, out: live.out, base, directory: live.directory, events, seal, error, manifest };
}

export function fileOf({ out }: Pick<Observation, "out">, name = "events.jsonl"): string {
  return readFileSync(join(out, name), "utf8");
}

export function linesOf(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

export async function rederived({ manifest, directory }: Observation): Promise<string> {
  const records: DecisionEvent[] = [];
  for await (const batch of deriveRun(manifest, directory, findAgent(manifest.agent), decision)) records.push(...batch);
  return linesOf(records);
}

/** A shell program with these lines. */
export function script(base: string, text: string): string {
  const path = join(base, "agent.sh");
  writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return path;
}
