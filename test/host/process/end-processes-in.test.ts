import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, realpathSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { endProcessesIn } from "../../../src/host/process/index.ts";
import { cleanUp, directory } from "../../support/harness.ts";

afterAll(cleanUp);

test.runIf(existsSync("/proc/self/stat"))("ends a daemon in the folder, and spares a user's shell there", async () => {
  const cwd = realpathSync(directory());
  const daemon = spawn("sleep", ["300"], { cwd, detached: true, env: {}, stdio: "ignore" });
  const terminal = spawn("script", ["-qec", `cd '${cwd}'; echo ready; read line; echo "got $line"`, "/dev/null"], { cwd: "/" });
  try {
    await once(terminal.stdout, "data");
    const ended = once(daemon, "exit");
    expect(await endProcessesIn(cwd)).toEqual([`sleep 300 (${daemon.pid})`]);
    expect((await ended)[1]).toBe("SIGKILL");
    terminal.stdin.write("a line\n");
    let said = "";
    for await (const bytes of terminal.stdout) {
      said += bytes;
      if (said.includes("got a line")) break;
    }
    expect(said).toContain("got a line");
  } finally {
    terminal.kill("SIGKILL");
  }
});
