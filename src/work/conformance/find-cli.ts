import { dirname } from "node:path";
import { insideProgram, installed, probeVersion } from "../../host/process/index.ts";
import { agents } from "../../pure/agents/index.ts";
import { HarnessError } from "../../pure/base/index.ts";
import type { Agent } from "../../pure/pipeline/index.ts";
import { folderOf, install, isInstalled, specOf } from "./install.ts";
import type { Pin } from "./pin.ts";

/** A CLI that can be run here. */
export interface Cli {
  readonly binary: string;
  /** The folder it was installed into. */
  readonly folder: string;
  /** What PATH needs for it. */
  readonly path: readonly string[];
  readonly version: string;
  /** How a fixture names it. */
  readonly label: string;
}

export interface Search {
  /** The pinned version and no other, downloaded where it is not in the cache. */
  readonly install: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly say: (sentence: string) => void;
}

/** The CLI of a pin: with `install` the pinned version, else the one on PATH, else the pinned version if it is in the cache. Throws one sentence. */
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
    throw new HarnessError("start", `${specOf(pin)} has no program for ${here}; run the corpus on another machine.`);
  }
  const path = (pin.beside ?? []).flatMap((each) => each.folder(folder));
  return { binary, folder, path, version: pin.version, label: pin.label };
}

/** Why a pin cannot be run with this Node; undefined where it can. */
export function whyNotHere({ label, node = 0 }: Pin): string | undefined {
  const here = process.versions.node;
  return Number(here.split(".")[0]) >= node ? undefined : `${label} needs Node ${node}; this is ${here}.`;
}

/** One of several pins of an agent is meant by its major version. */
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
