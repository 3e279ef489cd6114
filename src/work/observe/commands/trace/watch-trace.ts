import { join } from "node:path";
import { installed, type Launcher } from "../../../../host/process/index.ts";
import { errorWords } from "../../../../pure/base/index.ts";
import type { TracedRun } from "../../command-watch.ts";
import { probeTrace } from "./probe-trace.ts";
import { effectsOptions, localAddresses, readTrace } from "./read-trace.ts";
import { sharedFiles } from "./shared-files.ts";
import { traceCommand } from "./trace-command.ts";
import { traceFile } from "./trace-file.ts";
import type { Trace } from "./trace-reader.ts";
import { tracedLauncher } from "./traced-launcher.ts";

export interface TraceWatch {
  readonly traced: (launcher: Launcher) => Launcher;
  /** Call it after the agent's end. `effects` is undefined if they were not traced. Undefined if the trace could not be read. */
  collect(run: TracedRun | undefined, own: readonly string[]): Promise<ReadTrace | undefined>;
}

export interface ReadTrace extends Pick<Trace, "commands" | "isWhole"> {
  readonly effects?: Pick<Trace, "effects" | "gaps">;
}

/** Undefined if tracing is not possible; `problems` says why. */
export function watchTrace(directory: string, path: string | undefined, problems: string[]): TraceWatch | undefined {
  const strace = installed(["strace"], path);
  if (strace === undefined) return void problems.push("strace is not installed, so nothing was traced");
  const way = probeTrace(strace);
  if (way === undefined) return void problems.push("strace may not trace on this machine, so nothing was traced");
  if (!way.seesEffects) problems.push("this strace does not show the effects of calls, so neither writes nor connections were traced");
  const file = traceFile(join(directory, "trace"));
  const addresses = localAddresses();
  return {
    traced: (launcher) => tracedLauncher(launcher, traceCommand(strace, way), (channel) => file.follow(channel)),
    async collect(run, own) {
      const isWanted = run !== undefined && way.seesEffects;
      try {
        const { commands, isWhole, effects, gaps } = await readTrace(file, isWanted ? effectsOptions(run, { own, addresses }) : undefined);
        if (!isWhole) problems.push("the trace is incomplete, so it does not show every command");
        return { commands, isWhole, ...(isWhole && isWanted && { effects: { effects, gaps: [...gaps, ...sharedFiles(run)] } }) };
      } catch (error) {
        return void problems.push(errorWords(error));
      } finally {
        file.close();
      }
    },
  };
}
