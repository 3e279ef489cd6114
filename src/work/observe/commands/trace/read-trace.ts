import { readFileSync, readlinkSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { codeOf } from "../../../../pure/base/index.ts";
import type { TracedRun } from "../../command-watch.ts";
import type { EffectsOptions } from "./effect-reader.ts";
import { isIgnoredPath } from "./ignored-path.ts";
import type { TraceFile } from "./trace-file.ts";
import { type Trace, traceReader } from "./trace-reader.ts";

/** strace escapes special characters, so a line is a line. */
export async function readTrace(file: TraceFile, options: EffectsOptions | undefined): Promise<Trace> {
  const reader = traceReader(options);
  await file.read(reader.push);
  return reader.trace();
}

/** How many links outside the workspace are cached. */
const MOST_REMEMBERED = 50_000;

export interface Surroundings {
  /** Directories and files of the observation itself. */
  readonly own: readonly string[];
  /** The addresses of this machine before the start. */
  readonly addresses: ReadonlySet<string>;
}

/** How to read the trace of this run. */
export function effectsOptions({ workspace, links, programs, names, given }: TracedRun, { own, addresses }: Surroundings): EffectsOptions {
  const remembered = new Map<string, string | undefined | null>();
  /** There is no earlier record of links outside the workspace, so we read them from the disk now. */
  function linkAt(path: string): string | undefined | null {
    if (path.startsWith("/proc/")) return undefined;
    if (!remembered.has(path)) {
      if (remembered.size >= MOST_REMEMBERED) remembered.clear();
      remembered.set(path, readLink(path));
    }
    return remembered.get(path);
  }
  const ours = [...given, ...own];
  const now = localAddresses();
  return {
    cwd: workspace,
    links: [...links].map(([path, target]) => [`${workspace}/${path}`, target] as const),
    linkAt,
    isIgnored: (path) => isIgnoredPath(path) || ours.some((place) => path === place || path.startsWith(`${place}/`)),
    isAgent: (program, argv) => names.includes(program.slice(program.lastIndexOf("/") + 1)) || argv.some((word) => programs.includes(word)),
    isLocal: (address) => addresses.has(address) && now.has(address),
    corePattern: corePattern(),
  };
}

/** Undefined: not a link; null: nothing is there. */
function readLink(path: string): string | undefined | null {
  try {
    return readlinkSync(path);
  } catch (error) {
    return codeOf(error) === "EINVAL" ? undefined : null;
  }
}

function corePattern(): string {
  try {
    return readFileSync("/proc/sys/kernel/core_pattern", "utf8").trim();
  } catch {
    return ""; // unknown
  }
}

/** The addresses of this machine, without IPv6 zones. */
export function localAddresses(): ReadonlySet<string> {
  return new Set(Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address.replace(/%.*/, ""))));
}
