import { createReadStream, readlinkSync } from "node:fs";
import { HarnessError } from "../../../../pure/base/index.ts";
import type { TracedRun } from "../../command-watch.ts";
import type { EffectsOptions } from "./effect-reader.ts";
import { isIgnoredPath } from "./ignored-path.ts";
import { type Trace, traceReader } from "./trace-reader.ts";

/** strace shortens strings and lists: no line of it is nearly as long. */
const LONGEST_LINE = 16 * 1024 * 1024;

/** What `strace` wrote: it escapes everything that is not plain, so that a line is a line. The last one may be being written. */
export async function readTrace(file: string, options: EffectsOptions | undefined): Promise<Trace> {
  const reader = traceReader(options);
  let rest = "";
  for await (const piece of createReadStream(file, "latin1")) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > LONGEST_LINE) throw new HarnessError("input", "The trace was changed: it holds what strace does not write.");
    for (const line of lines) reader.push(line);
  }
  return reader.trace();
}

/** Links that are remembered: a run may name many places. */
const MOST_REMEMBERED = 50_000;

/** How a trace of this run is to be read. `own` are directories and files that belong to the observation itself. */
export function effectsOptions({ workspace, links, programs, names, given }: TracedRun, own: readonly string[]): EffectsOptions {
  const remembered = new Map<string, string | undefined>();
  /** Beside the workspace nobody has looked before: there the disk tells, as it is now. */
  function linkAt(path: string): string | undefined {
    if (path.startsWith("/proc/")) return undefined;
    if (!remembered.has(path)) {
      if (remembered.size >= MOST_REMEMBERED) remembered.clear();
      remembered.set(path, readLink(path));
    }
    return remembered.get(path);
  }
  const ours = [...given, ...own];
  return {
    cwd: workspace,
    links: [...links].map(([path, target]) => [`${workspace}/${path}`, target] as const),
    linkAt,
    isIgnored: (path) => isIgnoredPath(path) || ours.some((place) => path === place || path.startsWith(`${place}/`)),
    isAgent: (program, argv) => names.includes(program.slice(program.lastIndexOf("/") + 1)) || argv.some((word) => programs.includes(word)),
  };
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined; // it is no link, or not there any more
  }
}
