import { existsSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { BIN } from "../../support/harness.ts";
import { cleanUp, place, quoted } from "../../support/place.ts";

afterAll(cleanUp);

/** Runs harness with a limit on its address space, in kB. Node itself starts with 1,200,000. */
function limited(here: ReturnType<typeof place>, kilobytes: number, args: readonly string[]) {
  const line = [process.execPath, BIN, ...args].map(quoted).join(" ");
  return here.spawn("sh", ["-c", `ulimit -c 0; ulimit -v ${kilobytes}; exec ${line}`], { stdin: null }).done;
}

const RUN = ["run", "-p", "Go.", "--agent", "generic", "--command", "echo done"];

describe.runIf(existsSync("/proc/self/limits"))("too little address space", () => {
  test.each([
    [1_200_000, RUN],
    [1_900_000, RUN],
    [1_900_000, ["runs"]],
    [1_900_000, ["--help"]],
  ])("ulimit -v %i, %j: one sentence, exit code 2, and nothing is started", { timeout: 60_000 }, async (kilobytes, args) => {
    const here = place();
    const { code, stdout, stderr } = await limited(here, kilobytes, args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^harness: The address space is limited to \d+ MB, and Node needs 2000 MB\. Raise the limit .*\n$/);
    expect(here.recordings()).toEqual([]);
  });

  test("with enough of it, harness runs", { timeout: 60_000 }, async () => {
    const here = place();
    expect((await limited(here, 4_000_000, RUN)).code).toBe(0);
    expect(here.recording().sealed).toMatchObject({ status: "completed" });
  });
});
