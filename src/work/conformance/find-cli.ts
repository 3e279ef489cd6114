import { dirname } from "node:path";
import { insideProgram, installed, probeVersion } from "../../host/process/index.ts";
import { agents } from "../../pure/agents/index.ts";
import { HarnessError } from "../../pure/base/index.ts";
import type { Agent } from "../../pure/pipeline/index.ts";
import { folderOf, install, isInstalled, specOf } from "./install.ts";
import type { Pin } from "./pin.ts";

/** A CLI that can run on this machine. */
export interface Cli {
  readonly binary: string;
  readonly folder: string;
  /** Folders to put on PATH. */
  readonly path: readonly string[];
  readonly version: string;
  /** The CLI's name and version in a fixture. */
  readonly label: string;
}

export interface Search {
  /** Use the pinned version only, and download it if the cache lacks it. */
  readonly install: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly say: (sentence: string) => void;
}

/** The CLI of a pin: with `install` the pinned version, else the one on PATH, else the pinned version from the cache. Throws a one-sentence error. */
export async function findCli(id: string, pin: Pin, search: Search): Promise<Cli> {
  const missing = whyNotHere(pin);
  if (missing !== undefined) throw new HarnessError("start", missing);
  if (pin.isInside) return { binary: process.execPath, folder: dirname(insideProgram()), path: [], version: pin.version, label: pin.label };
  const folder = folderOf(id, pin, search.env);
  if (!search.install) {
    const own = await onPath(id, pin, search.env);
    if (own !== undefined) return own;
    if (!isInstalled(folder, pin)) {
      throw new HarnessError("start", `${pin.label} is neither on PATH nor in ${dirname(folder)}.`, { option: "install" });
    }
  }
  if (!isInstalled(folder, pin)) install(folder, pin, search.say);
  const binary = pin.binary(folder);
  if (binary === undefined) {
    const here = `${process.platform}-${process.arch}`;
    throw new HarnessError("start", `${specOf(pin)} has no program for ${here}. Run the corpus on a different machine.`);
  }
  const path = (pin.beside ?? []).flatMap((each) => each.folder(folder));
  return { binary, folder, path, version: pin.version, label: pin.label };
}

/** Why this Node cannot run a pin; undefined if it can. */
export function whyNotHere({ label, node = 0 }: Pin): string | undefined {
  const here = process.versions.node;
  return Number(here.split(".")[0]) >= node ? undefined : `${label} needs Node ${node}; this is ${here}.`;
}

/** If an agent has several pins, the major version decides which one the program on PATH matches. */
async function onPath(id: string, pin: Pin, env: NodeJS.ProcessEnv): Promise<Cli | undefined> {
  const names = (agents as Readonly<Record<string, Agent>>)[pin.agent ?? id]?.binaries ?? [];
  const binary = installed(names, env["PATH"]);
  if (binary === undefined) return undefined;
  const version = /\d+\.\d+[\w.+-]*/.exec((await probeVersion(binary, env)).version ?? "")?.[0];
  if (version === undefined || (pin.majors !== undefined && !pin.majors.includes(majorOf(version)))) return undefined;
  return { binary, folder: dirname(binary), path: [], version, label: pin.label.replace(pin.version, version) };
}

export function majorOf(version: string): number {
  return Number.parseInt(version, 10);
}
