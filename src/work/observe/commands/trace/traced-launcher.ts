import type { Readable } from "node:stream";
import { failedStart, GUARD_NAME, type Launcher } from "../../../../host/process/index.ts";
import { HarnessError } from "../../../../pure/base/index.ts";
import type { TraceCommand } from "./trace-command.ts";

/**
 * strace writes to its stderr, which is the channel. The shell that becomes the program first says its process id there, as strace sees it,
 * and gives the program its own stderr back and none of our descriptors.
 */
const TO_CHANNEL = 'exec 7>&2 2>&6 6>&- 5>&- 4>&- && exec "$@"';
const WITHOUT_CHANNEL = 'echo $$ >&2; exec 2>&7 7>&- && exec "$@"';

/**
 * Launches every program under `strace`. strace is not its parent, so the process, its exit code and its signals are unchanged. The trace
 * comes over a socket: a program cannot open it, as it could open a file or a pipe, and once strace has ended, no one can add to it.
 */
export function tracedLauncher(inner: Launcher, command: TraceCommand, follow: (channel: Readable) => void): Launcher {
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
      follow(launched.channel);
      return { ...launched, unstarted: (exit, stderr) => failedStart(program.binary, exit, stderr) };
    },
  };
}
