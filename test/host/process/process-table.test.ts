import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { listed, rowsIn } from "../../../src/host/process/process-table.ts";
import { eventually, LONG_MS } from "../../support/place.ts";

/** How processes are found without /proc. The text of macOS is from its manual; no Mac has run this yet. */

test("the columns of macOS: the session is an address, no terminal is ??, and variables follow the arguments", () => {
  const text = `    1     0     1      0 ??       Ss   /sbin/launchd
  501   480   501      0 ttys001  S+   -zsh
 9001     1  9001      0 ??       S    /usr/bin/node agent.mjs --flag HARNESS_RUN_COOKIE=run.abc PATH=/usr/bin
not a process
`;
  expect(rowsIn(text)).toEqual([
    { pid: 1, parent: 0, group: 1, session: "0", hasTerminal: false, state: "Ss", command: "/sbin/launchd" },
    { pid: 501, parent: 480, group: 501, session: "0", hasTerminal: true, state: "S+", command: "-zsh" },
    {
      pid: 9001,
      parent: 1,
      group: 9001,
      session: "0",
      hasTerminal: false,
      state: "S",
      command: "/usr/bin/node agent.mjs --flag HARNESS_RUN_COOKIE=run.abc PATH=/usr/bin",
    },
  ]);
});

test.runIf(existsSync("/bin/ps"))("the ps of this machine shows a process, its parent and its variables", async () => {
  const mark = `HARNESS_RUN_COOKIE=table.${process.pid}`;
  const child = spawn("sleep", ["60"], { env: { HARNESS_RUN_COOKIE: `table.${process.pid}` } });
  try {
    await eventually(() => {
      const row = rowsIn(listed(process.platform)).find(({ pid }) => pid === child.pid);
      expect(row).toMatchObject({ parent: process.pid, command: expect.stringContaining(mark) });
    }, LONG_MS);
  } finally {
    child.kill("SIGKILL");
  }
});
