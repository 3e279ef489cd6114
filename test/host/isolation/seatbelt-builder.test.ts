import { chmodSync, lstatSync, mkdirSync, openSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { seatbeltBuilder } from "../../../src/host/isolation/seatbelt-builder.ts";
import { cleanUp, directory } from "../../support/harness.ts";

/** The walls of macOS, built with a stand-in for `sandbox-exec`: it keeps the profile and becomes the program. No Mac has run them yet. */

afterAll(cleanUp);

function standIn(folder: string): string {
  const file = join(folder, "sandbox-exec");
  writeFileSync(file, `#!/bin/sh\n[ "$1" = -p ] || exit 9\nprintf %s "$2" > '${folder}/profile'\nshift 2\nexec "$@"\n`);
  chmodSync(file, 0o755);
  return file;
}

test("the program runs behind the profile, with private directories in its variables and its sessions in them", async () => {
  const folder = realpathSync(directory());
  for (const name of ["home/.agent/sessions", "private/home", "private/tmp", "work"]) mkdirSync(join(folder, name), { recursive: true });
  const at = (name: string) => join(folder, name);
  const builder = seatbeltBuilder("files", standIn(folder));
  const mounts = builder.mounts({
    workspaces: [at("work")],
    programs: [],
    instead: [
      { kind: "write", path: "/tmp", from: at("private/tmp") },
      { kind: "write", path: at("home"), from: at("private/home") },
      { kind: "write", path: at("home/.agent/sessions") },
    ],
    more: [],
    hidden: [],
  });
  const out = openSync(at("out"), "w");
  const running = await builder.launch(
    {
      binary: "/bin/sh",
      args: ["-c", 'echo "$HOME $TMPDIR $OTHER"; echo kept > "$HOME/.agent/sessions/one"; exit 7'],
      cwd: at("work"),
      env: { HOME: at("home"), TMPDIR: "/tmp", OTHER: at("home/x"), PATH: "/usr/bin:/bin" },
      cookie: "seatbelt.test",
      stdio: ["ignore", out, "ignore"],
    },
    mounts,
  );
  expect(await running.exited).toEqual({ exitCode: 7, signal: null });
  expect(await running.finish()).toBe(0);
  expect(readFileSync(at("out"), "utf8")).toBe(`${at("private/home")} ${at("private/tmp")} ${at("home/x")}\n`);
  expect(lstatSync(at("private/home/.agent/sessions")).isSymbolicLink()).toBe(true);
  expect(readFileSync(at("home/.agent/sessions/one"), "utf8")).toBe("kept\n");
  const rules = readFileSync(at("profile"), "utf8").split("\n");
  expect(rules).toContain(`(allow file-read* file-write* (subpath "${at("work")}"))`);
  expect(rules).toContain(`(allow file-read* file-write* (subpath "${at("private/home")}"))`);
  expect(rules).not.toContain(`(allow file-read* file-write* (subpath "${at("home")}"))`);
  expect(rules).toContain('(deny file-write* (subpath "/System"))');
});

test.each(["process", "sealed"])("%s is not available on macOS, and says so", (level) => {
  expect(() => seatbeltBuilder(level)).toThrow(`The level ${level} is not available on macOS`);
});

test("without sandbox-exec, the level is rejected", () => {
  expect(() => seatbeltBuilder("files", "/nowhere/sandbox-exec")).toThrow("/nowhere/sandbox-exec was not found");
});
