import { expect, test } from "vitest";
import { traceReader } from "../../src/observe/commands/trace/trace-reader.ts";

test("a fork that is told only after its child has started programs and ended: the parent is known all the same", () => {
  const reader = traceReader();
  for (const line of [
    '10 1.000000 execve("/bin/sh", ["sh"], 0x1 /* 2 vars */) = 0',
    "10 1.100000 clone(child_stack=NULL, flags=SIGCHLD <unfinished ...>",
    '11 1.200000 execve("/usr/bin/env", ["env", "uname"], 0x1 /* 2 vars */) = 0',
    '11 1.300000 execve("/bin/uname", ["uname"], 0x1 /* 2 vars */) = 0',
    "11 1.400000 +++ exited with 0 +++",
    "10 1.500000 <... clone resumed>)           = 11",
    "10 1.600000 +++ exited with 5 +++",
  ])
    reader.push(line);
  const { commands, isWhole } = reader.trace();
  expect(commands.map(({ pid, ppid, program, exitCode }) => [pid, ppid, program, exitCode])).toEqual([
    [10, undefined, "/bin/sh", 5],
    [11, 10, "/usr/bin/env", undefined],
    [11, 10, "/bin/uname", 0],
  ]);
  expect(isWhole).toBe(true);
});
