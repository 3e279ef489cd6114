import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { failedStart, GUARD_NAME, type Launcher } from "../../../../host/process/index.ts";
import { HarnessError } from "../../../../pure/base/index.ts";
import type { TraceCommand } from "./trace-command.ts";

/**
 * strace writes to its stderr, which is the channel. The shell that becomes the program first says its process id there, as strace sees it,
 * and gives the program its own stderr back and none of our descriptors.
 */
const TO_CHANNEL = 'exec 7>&2 2>&6 6>&- 5>&- 4>&- && exec "$@"';
const WITHOUT_CHANNEL = 'echo $$ >&2; exec 2>&7 7>&- && exec "$@"';

/** How long strace may take to report the program's end. An agent can end or stop it. */
const REPORT_MS = 5000;

/**
 * Launches every program under `strace`. strace is not its parent, so the process, its exit code and its signals are unchanged. The trace
 * comes over a socket: a program cannot open it, as it could open a file or a pipe, and once strace has ended, no one can add to it.
 *
 * strace ends with the run's other processes. The system reports the program's end to us as soon as strace knows it, so strace first gets
 * the time to report it too: otherwise a busy machine would make the trace incomplete.
 */
export function tracedLauncher(inner: Launcher, command: TraceCommand, follow: (channel: Readable) => Promise<void>): Launcher {
  return {
    ...inner,
    id: inner.id === "local" ? "traced" : `traced ${inner.id}`,
    async launch(program) {
      const inside = ["/bin/sh", "-c", WITHOUT_CHANNEL, GUARD_NAME, program.binary, ...program.args];
      const args = ["-c", TO_CHANNEL, GUARD_NAME, ...command, ...inside];
      const launched = await inner.launch({ ...program, binary: "/bin/sh", args, channel: true });
      if (launched.channel === undefined) {
        await launched.finish();
        throw new HarnessError("start", `The launcher ${inner.id} cannot trace: it gives programs no channel.`);
      }
      const reported = follow(launched.channel);
      let hasExited = false;
      const exit = () => {
        hasExited = true;
      };
      launched.exited.then(exit, exit);
      async function finish(): Promise<number | null> {
        if (hasExited) await Promise.race([reported, pause(REPORT_MS, undefined, { ref: false })]);
        return launched.finish();
      }
      return { ...launched, finish, unstarted: (exit, stderr) => failedStart(program.binary, exit, stderr) };
    },
  };
}
