import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { probeWalls, ran } from "../../../src/host/isolation/probe.ts";
import { bubblewrap } from "../../../src/host/isolation/tools.ts";
import { flawsOf } from "../../../src/pure/isolation/index.ts";
import { LONG_MS } from "../../support/place.ts";

const made = mkdtempSync(join(tmpdir(), "harness-probe-"));
afterAll(() => rmSync(made, { recursive: true, force: true }));

function program(): string | undefined {
  try {
    return bubblewrap(process.env["PATH"]).path;
  } catch {
    return undefined;
  }
}

/** A PATH whose Bash, if there is one, is this script. */
function pathWith(bash?: string): string {
  const folder = mkdtempSync(join(made, "bin-"));
  symlinkSync("/bin/sh", join(folder, "sh"));
  if (bash !== undefined) writeFileSync(join(folder, "bash"), bash, { mode: 0o755 });
  return folder;
}

const CLOSED = ["--dev-bind", "/", "/", "--proc", "/proc", "--unshare-pid", "--unshare-net", "--die-with-parent"];
const bwrap = program();

const PATHS: readonly (readonly [string, () => string | undefined])[] = [
  ["Bash", () => process.env["PATH"]],
  ["Node, if there is no Bash", () => pathWith()],
  ["Node, if Bash cannot connect", () => pathWith('#!/bin/sh\necho "bash: /dev/tcp/127.0.0.1/1: No such file or directory" >&2; exit 1\n')],
];

describe.each(PATHS)("the probe of the network by %s", (_, path) => {
  const env = () => ({ PATH: path() });

  test("finds an open network, and the level sealed does not hold", { timeout: LONG_MS }, async () => {
    const found = await probeWalls((command) => ran(command, made, env()), made, process.execPath);
    expect(found).toMatchObject({ connectsOutside: true, readsOutside: true, writesOutside: true, writesWorkspace: true });
    expect(flawsOf({ level: "sealed", network: "none", found })).toContain("it connects to servers outside");
  });

  test.runIf(bwrap)("finds a closed one", { timeout: LONG_MS }, async () => {
    const found = await probeWalls((command) => ran([bwrap ?? "", ...CLOSED, ...command], made, env()), made, process.execPath);
    expect(found).toMatchObject({ connectsOutside: false });
  });
});
