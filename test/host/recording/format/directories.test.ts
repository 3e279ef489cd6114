import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { BIN } from "../../../support/harness.ts";
import { cleanUp, eventually, type Place, place, processesOf, quoted, type Started } from "../../../support/place.ts";
import { canMount } from "./support/can-mount.ts";
import { expectSealed, filesHolding, onDisk } from "./support/recorded.ts";

/** Cases 41 and 67: a data directory that is unusable, disappears or leads elsewhere, and who can read its files. */

const TICKS = `sh ${join(import.meta.dirname, "support/ticks.sh")}`;
const SPEAKS = `sh ${join(import.meta.dirname, "support/speaks.sh")}`;

afterAll(cleanUp);

/** A place that already exists, and a directory outside it that must not be touched. */
function prepared(): { here: Place; base: string; outside: string } {
  const here = place();
  const base = join(here.root, "..");
  const outside = join(base, "outside");
  mkdirSync(outside);
  return { here, base, outside };
}

describe("case 41: rejected before anything is started", () => {
  const rows: Readonly<Record<string, { prepare: (of: ReturnType<typeof prepared>) => void; why: RegExp; home?: string }>> = {
    "XDG_DATA_HOME is a file": {
      prepare: ({ base }) => writeFileSync(join(base, "file"), ""),
      home: "file",
      why: /a part of the path is not a directory\. Set XDG_DATA_HOME to a local directory that you can write to/,
    },
    "the data directory is a file": { prepare: ({ here }) => writeFileSync(here.root, ""), why: /is not a directory\. Move it away/ },
    "the directory of runs is a file": {
      prepare({ here }) {
        mkdirSync(here.root);
        writeFileSync(here.runs, "");
      },
      why: /runs is not a directory\. Move it away/,
    },
    "the directory of runs is a link": {
      prepare({ here, outside }) {
        mkdirSync(here.root);
        symlinkSync(outside, here.runs);
      },
      why: /runs is a symbolic link\. Replace it with a directory/,
    },
    "the directory of sessions is a link": {
      prepare({ here, outside }) {
        mkdirSync(here.root);
        symlinkSync(outside, here.sessions);
      },
      why: /sessions is a symbolic link\. Replace it with a directory/,
    },
    "the directory of runs is a link that leads nowhere": {
      prepare({ here, outside }) {
        mkdirSync(here.root);
        symlinkSync(join(outside, "nowhere"), here.runs);
      },
      why: /runs is a symbolic link\. Replace it with a directory/,
    },
  };

  test.each(Object.entries(rows))("%s", async (_name, { prepare, why, home }) => {
    const all = prepared();
    const { here, base, outside } = all;
    prepare(all);
    const canary = join(base, "canary");
    const env = { ...(home !== undefined && { XDG_DATA_HOME: join(base, home) }) };
    const { code, stdout, stderr } = await here.run(["--agent", "generic", "--command", `touch ${canary}`], { env });
    expect({ code, stdout }).toEqual({ code: 74, stdout: "" });
    expect(stderr).toMatch(new RegExp(`^harness: .*${why.source}.*\\.\\n$`));
    expect(existsSync(canary)).toBe(false);
    expect(readdirSync(outside)).toEqual([]);
  });

  /** Modes do not restrict root, so root becomes a different user, if that user can read the program. */
  const otherUser = process.getuid?.() === 0 ? 65534 : undefined;
  const options = otherUser === undefined ? {} : { uid: otherUser, gid: otherUser };
  const canRun = spawnSync(process.execPath, [BIN, "--version"], { ...options, cwd: "/" }).status === 0;

  test.runIf(canRun)("read-only by its mode, and another user's", async () => {
    const { here, base } = prepared();
    chmodSync(base, 0o755);
    mkdirSync(here.root, { mode: 0o755 });
    const args = [BIN, "run", "--prompt", "Go.", "--agent", "generic", "--command", "echo hi"];
    if (otherUser !== undefined) {
      const foreign = await here.spawn(process.execPath, args, { cwd: "/" }, options).done;
      expect(foreign).toMatchObject({
        code: 74,
        stdout: "",
        stderr: expect.stringMatching(/^harness: The directory \S+ belongs to another user\. .*\n$/),
      });
      spawnSync("chown", ["-R", String(otherUser), here.root]);
    }
    chmodSync(here.root, 0o500);
    const closed = await here.spawn(process.execPath, args, { cwd: "/" }, options).done;
    expect(closed).toMatchObject({
      code: 74,
      stdout: "",
      stderr: expect.stringMatching(/^harness: .*permission denied\. Set XDG_DATA_HOME .*\n$/),
    });
  });

  test.runIf(canMount)("a read-only file system", async () => {
    const { here } = prepared();
    mkdirSync(here.root);
    const line = `mount -t tmpfs -o ro none "$D"; ${[process.execPath, BIN, "run", "--prompt", "x", "--agent", "generic", "--command", "echo hi"].map(quoted).join(" ")}`;
    const done = await here.spawn("unshare", ["-rm", "sh", "-c", line], { env: { D: here.root } }).done;
    expect(done).toMatchObject({ code: 74, stdout: "", stderr: expect.stringMatching(/^harness: .*the file system is read-only.*\n$/) });
  });
});

describe.concurrent("case 41: while the agent runs", () => {
  /** A run that is in progress and has been recorded for a while. */
  async function begun(here: Place): Promise<{ started: Started; directory: string }> {
    const started = here.start(["run", "--prompt", "Go.", "--agent", "generic", "--command", TICKS]);
    await started.printed('"text":"x');
    const [id = ""] = readdirSync(here.runs);
    return { started, directory: join(here.runs, id) };
  }

  async function expectStopped({ done }: Started, cookie: Parameters<typeof processesOf>[0]): Promise<void> {
    const { code, stderr, signal } = await done;
    expect({ code, signal, lines: stderr.split("\n").length, stderr }).toEqual({ code: 74, signal: null, lines: 2, stderr });
    expect(stderr).toMatch(/^harness: \S.+\.$/m);
    await eventually(() => expect(processesOf(cookie)).toEqual([]));
  }

  test("the whole data directory is deleted: the agent is stopped, and its output is restored", async () => {
    const here = place();
    const { started, directory } = await begun(here);
    const { manifest } = onDisk(directory);
    rmSync(here.root, { recursive: true });
    await expectStopped(started, manifest);
    const { stdout } = await here.harness(["sessions", "list"]);
    expect(stdout).toContain(manifest.id);
    await expectSealed(directory);
    expect(onDisk(directory).raw).toMatch(/^(x\n){50}/);
  });

  test.each(["runs/<id>", "runs", "sessions"])("%s is replaced by a link: nothing is written through it", async (which) => {
    const { here, base, outside } = prepared();
    const { started, directory } = await begun(here);
    const { manifest } = onDisk(directory);
    const path = which === "runs/<id>" ? directory : join(here.root, which);
    const moved = join(base, "moved");
    renameSync(path, moved);
    symlinkSync(outside, path);
    await expectStopped(started, manifest);
    expect(filesHolding(outside, "")).toEqual([]);

    // Moved back, it works as before.
    rmSync(path);
    renameSync(moved, path);
    await here.harness(["sessions", "list"]);
    await expectSealed(directory);
    expect(onDisk(directory).raw).toMatch(/^(x\n){50}/);
  });
});

describe("case 67: modes", () => {
  test.each(["000", "077", "277"])("umask %s: directories 0700, files 0600, even after a repair", async (umask) => {
    const here = place();
    const line = `umask ${umask}; exec "$@"`;
    const args = [BIN, "run", "--prompt", "Go.", "--agent", "generic", "--command", SPEAKS];
    expect((await here.spawn("sh", ["-c", line, "sh", process.execPath, ...args]).done).code).toBe(0);
    const killed = here.spawn("sh", [
      "-c",
      line,
      "sh",
      process.execPath,
      BIN,
      "run",
      "--prompt",
      "Go.",
      "--agent",
      "generic",
      "--command",
      TICKS,
    ]);
    await killed.printed('"text":"x');
    killed.child.kill("SIGKILL");
    await killed.done;
    const list = await here.spawn("sh", ["-c", line, "sh", process.execPath, BIN, "sessions", "list"]).done;
    expect(list.stderr).toContain("completed and sealed");
    expect(modes(here.root)).toEqual(["directory 700", "file 600"]);
  });
});

function modes(root: string): string[] {
  const entries = readdirSync(root, { recursive: true, encoding: "utf8" }).map((name) => lstatSync(join(root, name)));
  const kinds = entries.map((stats) => `${stats.isDirectory() ? "directory" : "file"} ${(stats.mode & 0o777).toString(8)}`);
  return [...new Set(kinds)].sort();
}
