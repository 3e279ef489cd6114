import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { BIN } from "../../../support/harness.ts";
import { cleanUp, jsonLines, type Place, place, processesOf, quoted } from "../../../support/place.ts";
import { canMount } from "./support/can-mount.ts";
import { expectSealed, leftovers, onDisk, textOf } from "./support/recorded.ts";

/** Case 40: no room for the log. Simulated by a file size limit everywhere, and by a small file system if we can mount one. */

const TICKS = `sh ${join(import.meta.dirname, "support/ticks.sh")}`;
const RUN = ["run", "--prompt", "Go.", "--agent", "generic", "--command", TICKS];

afterAll(cleanUp);

/** Runs it with a file size limit in kilobytes. */
function limited(here: Place, kilobytes: number) {
  const line = `ulimit -f ${2 * kilobytes}; exec "$@"`; // in blocks of 512 bytes, as in POSIX
  return here.spawn("sh", ["-c", line, "sh", process.execPath, BIN, ...RUN]).done;
}

describe("case 40: no space for the log", () => {
  test("not even for the reserve: rejected before anything is started, and nothing is left", async () => {
    const here = place();
    const { code, stdout, stderr } = await limited(here, 32);
    expect({ code, stdout }).toEqual({ code: 74, stdout: "" });
    expect(stderr).toMatch(/^harness: Cannot reserve 65536 bytes in \S+: the file would exceed the file size limit\.\n$/);
    expect([...readdirSync(here.runs), ...readdirSync(here.sessions)]).toEqual([]);
  });

  test.each([65, 70, 100])("%i KB: the agent is stopped, one sentence, exit code 74; the next open completes it", async (kilobytes) => {
    const here = place();
    const { code, stderr, stdout } = await limited(here, kilobytes);
    expect(code).toBe(74);
    expect(stderr).toMatch(/^harness: Cannot write \S+: the file would exceed the file size limit\.\n$/);
    const [id = ""] = readdirSync(here.runs);
    const left = onDisk(join(here.runs, id));
    expect(processesOf(left.manifest)).toEqual([]);
    await here.harness(["sessions", "list"]);
    const { repairs, status, reason, exitCode } = await expectSealed(left.paths.directory);
    expect({ status, reason, exitCode }).toEqual({ status: "failed", reason: "log-write", exitCode: null });
    expect(repairs?.join()).toMatch(/lines that the agent had printed were not yet recorded/);
    expect(leftovers(left.paths.directory)).toEqual([]);
    expect(onDisk(left.paths.directory).raw).toBe(left.raw);
    const lines = left.raw.split("\n").length - 1;
    expect(jsonLines(textOf(left.paths.records)).filter(({ type }) => type === "line")).toHaveLength(lines);
    expect(
      stdout
        .split("\n")
        .filter((line) => line !== "")
        .every((line) => JSON.parse(line)),
    ).toBe(true);
  });

  test.runIf(canMount)("a full disk: the reserve is enough to seal the run immediately", async () => {
    const here = place();
    mkdirSync(here.root, { recursive: true });
    const report = 'h sessions verify last; echo "verified $?"; cat "$D"/runs/*/run.json | grep -c sealed';
    const slowly = RUN.with(-1, "sh -c 'while :; do echo x; sleep 0.02; done'"); // what is printed until we notice must fit the reserve
    const script = `mount -t tmpfs -o size=1m,mode=700 none "$D"; h() { ${quoted(process.execPath)} ${quoted(BIN)} "$@"; }
      head -c 860000 /dev/zero > "$D/filler"; h ${slowly.map(quoted).join(" ")} > /dev/null; echo "code $?"; ${report}`;
    const done = await here.spawn("unshare", ["-rm", "sh", "-c", script], { env: { D: here.root } }).done;
    expect(done.stderr).toMatch(/^harness: Cannot write \S+: no space is left on the device\.\n$/);
    expect(done.stdout).toMatch(/^code 74\n\{.*"ok":true.*\}\nverified 0\n1\n$/);
  });

  test.runIf(canMount).each([8, 20, 24])(
    "no inodes, %i in all: one sentence, exit code 74, and what is recorded can be read",
    async (inodes) => {
      const here = place();
      mkdirSync(here.root, { recursive: true });
      const script = `mount -t tmpfs -o size=8m,nr_inodes=${inodes},mode=700 none "$D"; h() { ${quoted(process.execPath)} ${quoted(BIN)} "$@"; }
      h ${RUN.map(quoted).join(" ")} > /dev/null; echo "code $?"; h runs > /dev/null; echo "listed $?"`;
      const done = await here.spawn("unshare", ["-rm", "sh", "-c", script], { env: { D: here.root } }).done;
      const [code, listed] = done.stdout.trimEnd().split("\n");
      expect({ listed, said: code === "code 0" ? "" : done.stderr.split("\n", 1)[0] }).toEqual({
        listed: "listed 0",
        said: code === "code 0" ? "" : expect.stringMatching(/^harness: Cannot \S+ .*no space is left on the device\.$/),
      });
      expect(["code 0", "code 74"]).toContain(code);
    },
  );
});
